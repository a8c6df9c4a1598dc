import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { campaignOf } from "../bugs/find-bug.ts";
import { BUGS } from "../bugs/index.ts";

// Stories of corrected programs that the simulation reported. In most of them, a fault decides whether an operation of a
// user has an effect.

type Operation = Case["history"]["operations"][number];

const metadata = { name: "a", namespace: "default" };
const custom = (kind: string, spec: Record<string, string | number>) => ({
  apiVersion: "bugs.levelset.dev/v1",
  kind,
  metadata,
  spec,
});
const [backup, token, playbook, listen] = [
  custom("Backup", { everySeconds: 7_200 }),
  (ttlSeconds: number) => custom("Token", { ttlSeconds }),
  custom("Playbook", { image: "ansible:1" }),
  (bind: string) => custom("Listen", { bind }),
];
const create = (object: ReturnType<typeof custom>, afterMs = 60_000): Operation => ({ do: "create", object, afterMs });
const change = (object: ReturnType<typeof custom>, afterMs: number): Operation => {
  return { do: "change", object, how: "valid", afterMs };
};
const remove = ({ apiVersion, kind }: ReturnType<typeof custom>): Operation => {
  return { do: "delete", id: { apiVersion, kind, ...metadata }, afterMs: 0 };
};
const deleteChild = (kind: string): Operation => {
  return { do: "delete-child", pick: 0.5, afterMs: 60_000, target: { apiVersion: "v1", kind, ...metadata } };
};

/** What happens → the corrected program, and the case. */
const STORIES: Readonly<Record<string, readonly [twin: string, Case]>> = {
  "a child that a person deletes before a late operator does": [
    "expiry-without-requeue",
    {
      seed: 157,
      history: { operations: [create(token(3_600)), change(token(1), 0), deleteChild("Secret")] },
      faults: [{ at: 0, kind: "watch", nth: 4, fault: { kind: "delay", ms: 3_000 } }],
    },
  ],
  "a child that is deleted early for a spec that is seen late, and expires at the end": [
    "expiry-without-requeue",
    {
      seed: 21_189,
      history: { operations: [create(token(3_600), 0), change(token(2), 0), change(token(4), 60_000)] },
      faults: [{ at: 1, kind: "cache-lag", ms: 2_000 }],
    },
  ],
  "an object that a user can create again because its finalizer was never written": [
    "job-rerun-after-ttl",
    {
      seed: 167,
      history: { operations: [create(playbook, 0), remove(playbook), create(playbook)] },
      faults: [{ at: 0, kind: "request", nth: 1, fault: { kind: "refused" } }],
    },
  ],
  "a child that exists for a person to delete because a change was seen late": [
    "port-not-parsed",
    {
      seed: 114,
      history: {
        operations: [
          create(listen("0.0.0.0:1883x")),
          change(listen("0.0.0.0:2"), 3_600_000),
          remove(listen("")),
          create(listen("0.0.0.0:2"), 0),
          change(listen("0.0.0.0:2x"), 600_000),
          deleteChild("Service"),
          change(listen("0.0.0.0:1883"), 60_000),
        ],
      },
      faults: [{ at: 3, kind: "freeze-watches" }],
    },
  ],
  "a timer that does not follow a step of the wall clock": [
    "restart-resets-schedule",
    {
      seed: 718,
      history: { operations: [create(backup), { do: "step-clock", ms: 86_400_000, afterMs: 60_000 }] },
      faults: [],
    },
  ],
};

test.each(Object.entries(STORIES))("%s is no violation", async (_, [twin, recorded]) => {
  const bug = BUGS.find(({ name }) => name === twin);
  if (bug === undefined) throw new Error(`there is no bug ${twin}`);
  const { violation } = await (await campaignOf(bug, "fixed")).replay(recorded);
  expect(violation).toBeUndefined();
});
