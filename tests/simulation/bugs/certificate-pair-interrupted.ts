import { controllerReference, kind, s, Secret } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "./program.ts";
import { beside, GROUP } from "./raw.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/**
 * Source: K8SPXC-896 and K8SPSMDB-578 (Sieve, intermediate state). Bug: two Secrets are created only if the first of
 * them does not exist. After a crash in between, the second is never created, and the object is ready all the same.
 * Found by: converges, needs a crash after the first create.
 */
const Replica = kind({ group: GROUP, version: "v1", kind: "Replica", spec: s.object({ domain: s.string().min(1) }) });

const SUFFIXES = ["ssl", "ssl-internal"] as const;

/** `missing` returns the suffixes of the Secrets to create. */
function replicas(missing: (has: (suffix: string) => boolean) => readonly string[]) {
  const certificates = step(Replica, "Certificates", {
    owns: [Secret],
    do: async (req) => {
      const has = (suffix: string): boolean => req.get(Secret, beside(req, `${req.name}-${suffix}`)) !== undefined;
      for (const suffix of missing(has)) {
        await req.client.create(Secret, {
          metadata: { ...beside(req, `${req.name}-${suffix}`), ownerReferences: [controllerReference(req.object)] },
          stringData: { "tls.crt": `${suffix} of ${req.spec.domain}` },
        });
      }
      return ok();
    },
  });
  return operator(Replica, [certificates]);
}

const buggy = (): AnyOperator => replicas((has) => (has("ssl") ? [] : SUFFIXES));
const fixed = (): AnyOperator => replicas((has) => SUFFIXES.filter((suffix) => !has(suffix)));

export const bug: SimulationBug = {
  name: "certificate-pair-interrupted",
  source: "https://perconadev.atlassian.net/browse/K8SPXC-896",
  oracle: "converges",
  needs: "a crash after the first of two creates",
  kind: Replica,
  create: (cluster) => cluster.create(Replica, { name: "a", spec: { domain: "example.com" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (scene) => {
    scene.start();
    scene.crashAt(({ path }) => path.endsWith("/secrets"));
    await bug.create(scene.cluster);
    await scene.settle();
    await scene.restart();
    await scene.settle();
    return scene.names(Secret);
  },
  ends: { buggy: "a-ssl", fixed: "a-ssl a-ssl-internal" },
};
