import { kind, s, Secret } from "@levelset/core";
import { child, operator } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: kubeflow/trainer#1533. Bug: the age of the object is compared with its TTL, but no run is requested for the
 * time at which the TTL ends. The token outlives it until something else triggers a run. Found by: converges, needs time
 * to pass: a restart after the TTL leads to another end than none.
 */
const Token = kind({
  group: GROUP,
  version: "v1",
  kind: "Token",
  spec: s.object({ ttlSeconds: s.int32().min(1) }),
});

function tokens(options: { readonly requeues: boolean }): AnyOperator {
  const token = child(Token, "Token", {
    kind: Secret,
    desired: (req) => {
      const createdAt = Date.parse(req.object.metadata.creationTimestamp ?? "");
      const leftMs = createdAt + req.spec.ttlSeconds * 1000 - req.clock.now();
      if (leftMs <= 0) return undefined;
      if (options.requeues) req.requeueAfter(leftMs);
      return { metadata: { name: req.name }, stringData: { token: `token of ${req.name}` } };
    },
  });
  return operator(Token, [token]);
}

export const bug: SimulationBug = {
  name: "expiry-without-requeue",
  source: "https://github.com/kubeflow/trainer/issues/1533",
  oracle: "converges",
  needs: "time that passes beyond the TTL while nothing changes",
  kind: Token,
  create: (cluster) => cluster.create(Token, { name: "a", spec: { ttlSeconds: 3600 } }),
  buggy: () => ({ start: () => tokens({ requeues: false }) }),
  fixed: () => ({ start: () => tokens({ requeues: true }) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle(4_000_000);
    const secrets = await harness.names(Secret);
    await harness.restart();
    await harness.settle();
    return `${secrets === "" ? "expired" : "valid"}, after a restart ${(await harness.names(Secret)) === "" ? "expired" : "valid"}`;
  },
  ends: { buggy: "valid, after a restart expired", fixed: "expired, after a restart expired" },
};
