import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: coreos/etcd-operator#2152. Bug: the time of the last backup is kept in memory, so that each restart begins the
 * interval anew, and a backup may never be due. Found by: converges, needs restarts within the interval.
 */
const Backup = kind({
  group: GROUP,
  version: "v1",
  kind: "Backup",
  spec: s.object({ everySeconds: s.int32().min(600).immutable() }),
  status: s.object({ backups: s.int32().optional() }),
});

/** Returns the time from which the first interval counts. */
type Began = (req: Req<typeof Backup, never>) => number;

/** `began` is called for each process. */
function backups(began: () => Began): Program {
  const service = new FakeService();
  const start = () => {
    const beganAt = began();
    const schedule = step(Backup, "Schedule", {
      preserveStatus: ["backups"],
      do: async (req) => {
        const everyMs = req.spec.everySeconds * 1000;
        const elapsedMs = Math.max(0, req.clock.now() - beganAt(req));
        const due = Math.floor(elapsedMs / everyMs);
        const done = req.status.backups ?? 0;
        if (due > done) await service.performOnce(`backup ${req.object.metadata.uid} ${due}`);
        req.status.backups = Math.max(due, done);
        req.requeueAfter(everyMs - (elapsedMs % everyMs));
        return ok();
      },
    });
    return operator(Backup, [schedule]);
  };
  return { start, external: service };
}

/** The time at which the process saw the object for the first time. */
function sinceSeen(): Began {
  const seen = new Map<string, number>();
  return ({ object, clock }) => {
    const at = seen.get(object.metadata.uid) ?? clock.now();
    seen.set(object.metadata.uid, at);
    return at;
  };
}

const sinceCreation =
  (): Began =>
  ({ object }) =>
    Date.parse(object.metadata.creationTimestamp ?? "");

export const bug: SimulationBug = {
  name: "restart-resets-schedule",
  source: "https://github.com/coreos/etcd-operator/issues/2152",
  oracle: "converges",
  needs: "restarts at shorter intervals than that of the schedule",
  kind: Backup,
  create: (cluster) => cluster.create(Backup, { name: "a", spec: { everySeconds: 3600 } }),
  buggy: () => backups(sinceSeen),
  fixed: () => backups(sinceCreation),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    for (let restart = 0; restart < 4; restart++) {
      await harness.settle(3_000_000);
      await harness.restart();
    }
    await harness.settle();
    return `${harness.external.calls().length} backups in more than three hours`;
  },
  ends: { buggy: "0 backups in more than three hours", fixed: "3 backups in more than three hours" },
};
