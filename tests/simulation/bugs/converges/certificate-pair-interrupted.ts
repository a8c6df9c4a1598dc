import { controllerReference, kind, s, Secret } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: K8SPXC-896 and K8SPSMDB-578 (Sieve, intermediate state). Bug: two Secrets are created only if the first of
 * them does not exist. After a crash in between, the second is never created, and the object is ready all the same.
 * Found by: converges, needs a crash after the first create.
 */
const Replica = kind({
  group: GROUP,
  version: "v1",
  kind: "Replica",
  spec: s.object({ domain: s.string().min(1).immutable() }),
});

const SUFFIXES = ["ssl", "ssl-internal"] as const;

function textOf(suffix: string, domain: string): Record<string, string> {
  return { "tls.crt": `${suffix} of ${domain}` };
}

function buggy(): AnyOperator {
  const certificates = step(Replica, "Certificates", {
    owns: [Secret],
    do: async (req) => {
      if (req.get(Secret, beside(req, `${req.name}-ssl`)) !== undefined) return ok();
      for (const suffix of SUFFIXES) {
        const ownerReferences = [controllerReference(req.object)];
        await req.client.create(Secret, {
          metadata: { ...beside(req, `${req.name}-${suffix}`), ownerReferences },
          stringData: textOf(suffix, req.spec.domain),
        });
      }
      return ok();
    },
  });
  return operator(Replica, [certificates]);
}

function fixed(): AnyOperator {
  const certificates = SUFFIXES.map((suffix) =>
    child(Replica, suffix === "ssl" ? "Certificate" : "InternalCertificate", {
      kind: Secret,
      desired: ({ name, spec }) => ({
        metadata: { name: `${name}-${suffix}` },
        stringData: textOf(suffix, spec.domain),
      }),
    }),
  );
  return operator(Replica, certificates);
}

export const bug: SimulationBug = {
  name: "certificate-pair-interrupted",
  source: "https://jira.percona.com/browse/K8SPXC-896",
  oracle: "converges",
  needs: "a crash after the first of two creates",
  kind: Replica,
  create: (cluster) => cluster.create(Replica, { name: "a", spec: { domain: "example.com" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    harness.crashAt(({ path }) => path.endsWith("/secrets"));
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.restart();
    await harness.settle();
    return harness.names(Secret);
  },
  ends: { buggy: "a-ssl", fixed: "a-ssl a-ssl-internal" },
};
