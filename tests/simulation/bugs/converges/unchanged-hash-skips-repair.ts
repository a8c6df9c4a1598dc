import { controllerReference, hashJson, kind, s, Secret } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: bitwarden/sm-kubernetes#59. Bug: the step remembers the hash of what it applied, and skips its work while the
 * hash is the same, so that a deleted child is not recreated. Found by: converges, needs a child that is deleted by hand.
 */
const Vault = kind({
  group: GROUP,
  version: "v1",
  kind: "Vault",
  spec: s.object({ value: s.string() }),
  status: s.object({ applied: s.string().optional() }),
});

function buggy(): AnyOperator {
  const secret = step(Vault, "Secret", {
    owns: [Secret],
    preserveStatus: ["applied"],
    do: async (req) => {
      const hash = hashJson(req.spec);
      if (req.status.applied === hash) return ok();
      const metadata = { ...beside(req, req.name), ownerReferences: [controllerReference(req.object)] };
      await req.client.apply(Secret, { metadata, stringData: { value: req.spec.value } }, { force: true });
      req.status.applied = hash;
      return ok();
    },
  });
  return operator(Vault, [secret]);
}

function fixed(): AnyOperator {
  const secret = child(Vault, "Secret", {
    kind: Secret,
    desired: ({ name, spec }) => ({ metadata: { name }, stringData: { value: spec.value } }),
    status: (req) => {
      req.status.applied = hashJson(req.spec);
    },
  });
  return operator(Vault, [secret]);
}

export const bug: SimulationBug = {
  name: "unchanged-hash-skips-repair",
  source: "https://github.com/bitwarden/sm-kubernetes/issues/59",
  oracle: "converges",
  needs: "a child that is deleted by hand",
  kind: Vault,
  create: (cluster) => cluster.create(Vault, { name: "a", spec: { value: "x" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.delete(Secret, "a");
    await harness.settle();
    return `secrets: ${await harness.names(Secret)}, ready: ${await harness.isReady(Vault)}`;
  },
  ends: { buggy: "secrets: , ready: true", fixed: "secrets: a, ready: true" },
};
