import { kind, s, Secret } from "@levelset/core";
import { child, ok, operator, reference, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: external-secrets/external-secrets#4548, keycloak/keycloak#12590. Bug: a Secret of a user that has the name of
 * the child is overwritten, and deleted with the object. Found by: clean, needs a foreign object with that name.
 */
const Sync = kind({
  group: GROUP,
  version: "v1",
  kind: "Sync",
  spec: s.object({ value: s.string().pattern("^[a-z]*$") }),
});

function buggy(): AnyOperator {
  const secret = step(Sync, "Secret", {
    reads: [reference(Sync, Secret, ({ metadata }) => `${metadata.name}-synced`)],
    rbac: [{ apiGroups: [""], resources: ["secrets"], verbs: ["patch", "delete"] }],
    do: async (req) => {
      const metadata = beside(req, `${req.name}-synced`);
      const data = { value: btoa(req.spec.value) };
      if (req.get(Secret, metadata)?.data?.["value"] === data.value) return ok();
      await req.client.apply(Secret, { metadata, data }, { force: true });
      return ok();
    },
    cleanup: async (req) => {
      await ifFound(req.client.delete(Secret, beside(req, `${req.name}-synced`)));
      return ok();
    },
  });
  return operator(Sync, [secret]);
}

function fixed(): AnyOperator {
  const secret = child(Sync, "Secret", {
    kind: Secret,
    owned: false,
    desired: ({ name, spec }) => ({ metadata: { name: `${name}-synced` }, stringData: { value: spec.value } }),
  });
  return operator(Sync, [secret]);
}

export const bug: SimulationBug = {
  name: "takes-over-foreign-secret",
  source: "https://github.com/external-secrets/external-secrets/issues/4548",
  oracle: "clean",
  needs: "a foreign object that has the name of the child",
  kind: Sync,
  create: (cluster) => cluster.create(Sync, { name: "a", spec: { value: "ours" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Secret, { name: "a-synced", stringData: { value: "theirs" } });
    await bug.create(harness.cluster);
    await harness.settle();
    const value = (await harness.cluster.get(Secret, "a-synced"))?.data?.["value"] ?? "";
    await harness.cluster.delete(Sync, "a");
    await harness.settle();
    return `value: ${atob(value)}, left: ${await harness.names(Secret)}`;
  },
  ends: { buggy: "value: ours, left: ", fixed: "value: theirs, left: a-synced" },
};
