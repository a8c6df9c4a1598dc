import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: stackabletech/operator-rs#1032, strimzi/strimzi-kafka-operator#13079, paperclipinc/openclaw-operator#163. Bug:
 * each run writes the current time into the status, so that an object at rest is written with every poll. Found by:
 * quiet, needs time to pass.
 */
const Claw = kind({
  group: GROUP,
  version: "v1",
  kind: "Claw",
  spec: s.object({ model: s.string() }),
  status: s.object({ lastReconcileTime: s.dateTime().optional(), reconciled: s.string().optional() }),
});

function claws(options: { readonly writesTime: boolean }): AnyOperator {
  const config = child(Claw, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name }, data: { model: spec.model } }),
  });
  const report = step(Claw, "Report", {
    do: (req) => {
      req.status.reconciled = req.spec.model;
      if (options.writesTime) req.status.lastReconcileTime = new Date(req.clock.now()).toISOString();
      req.requeueAfter(300_000);
      return ok();
    },
  });
  return operator(Claw, [config, report]);
}

export const bug: SimulationBug = {
  name: "timestamp-in-status",
  source: "https://github.com/stackabletech/operator-rs/issues/1032",
  oracle: "quiet",
  needs: "time that passes at rest",
  kind: Claw,
  create: (cluster) => cluster.create(Claw, { name: "a", spec: { model: "m" } }),
  buggy: () => ({ start: () => claws({ writesTime: true }) }),
  fixed: () => ({ start: () => claws({ writesTime: false }) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    const before = harness.writes;
    await harness.settle(3_600_000);
    return `${harness.writes - before} writes in an hour at rest`;
  },
  ends: { buggy: "12 writes in an hour at rest", fixed: "0 writes in an hour at rest" },
};
