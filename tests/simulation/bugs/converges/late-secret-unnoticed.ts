import { kind, s, Secret } from "@levelset/core";
import { ok, operator, reference, step, wait } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: grafana/loki#5373, integr8ly/integreatly-operator#3432. Bug: a missing Secret ends the run without a requeue,
 * although no watch will report it. Found by: converges, needs an input that is created after the object.
 */
const Stack = kind({
  group: GROUP,
  version: "v1",
  kind: "Stack",
  spec: s.object({ secretName: s.string().min(1) }),
  status: s.object({ endpoint: s.string().optional() }),
});

function buggy(): AnyOperator {
  const storage = step(Stack, "Storage", {
    rbac: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    do: async (req) => {
      const secret = await ifFound(req.client.get(Secret, beside(req, req.spec.secretName)));
      if (secret === undefined) return wait(`missing secret ${req.spec.secretName}`);
      req.status.endpoint = atob(secret.data?.["endpoint"] ?? "");
      req.requeueAfter(600_000);
      return ok();
    },
  });
  return operator(Stack, [storage]);
}

function fixed(): AnyOperator {
  const storage = step(Stack, "Storage", {
    reads: [reference(Stack, Secret, ({ spec }) => spec.secretName)],
    do: (req) => {
      const secret = req.get(Secret, beside(req, req.spec.secretName));
      if (secret === undefined) return wait(`missing secret ${req.spec.secretName}`);
      req.status.endpoint = atob(secret.data?.["endpoint"] ?? "");
      return ok();
    },
  });
  return operator(Stack, [storage]);
}

export const bug: SimulationBug = {
  name: "late-secret-unnoticed",
  source: "https://github.com/grafana/loki/pull/5373",
  oracle: "converges",
  needs: "an input that is created after the object",
  kind: Stack,
  create: async (cluster) => {
    await cluster.create(Secret, { name: "store", stringData: { endpoint: "s3.example.com" } });
    await cluster.create(Stack, { name: "a", spec: { secretName: "store" } });
  },
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Stack, { name: "a", spec: { secretName: "store" } });
    await harness.settle();
    await harness.cluster.create(Secret, { name: "store", stringData: { endpoint: "s3.example.com" } });
    await harness.settle(3_600_000);
    return `ready: ${await harness.isReady(Stack)}`;
  },
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
