import { StatusError } from "@levelset/core";
import { atRest, memoryLogger, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { WorkQueue } from "./work-queue.ts";

function queue(work: (key: string) => Promise<number | undefined>): {
  readonly queue: WorkQueue;
  readonly clock: VirtualClock;
  readonly logs: readonly { readonly message: string }[];
} {
  const clock = new VirtualClock();
  const { logger, lines } = memoryLogger();
  return { queue: new WorkQueue({ name: "test", clock, logger, work }), clock, logs: lines };
}

test("a key that was added often is worked on once, and never twice at a time", async () => {
  const events: string[] = [];
  const opened = Promise.withResolvers<undefined>();
  const { queue: work } = queue(async (key) => {
    events.push(`begin ${key}`);
    await opened.promise;
    events.push(`end ${key}`);
    return undefined;
  });
  work.add("a");
  work.add("a");
  await atRest();
  work.add("a");
  await atRest();
  expect(events).toEqual(["begin a"]);
  opened.resolve(undefined);
  await atRest();
  expect(events).toEqual(["begin a", "end a", "begin a", "end a"]);
});

test("a failing key comes again after a growing delay and holds up no other", async () => {
  const done: string[] = [];
  const {
    queue: work,
    clock,
    logs,
  } = queue(async (key) => {
    if (key === "bad") throw new Error("no");
    done.push(key);
    return undefined;
  });
  for (const key of ["bad", "a", "b"]) work.add(key);
  await atRest();
  expect([done, logs.length]).toEqual([["a", "b"], 1]);
  await clock.advance(50);
  await clock.advance(99);
  expect(logs).toHaveLength(2);
  await clock.advance(1);
  expect(logs).toHaveLength(3);
});

test("a conflict is tried again at once, but not for ever", async () => {
  let tries = 0;
  const { queue: work } = queue(async () => {
    tries++;
    throw new StatusError("Conflict", "somebody else was faster");
  });
  work.add("a");
  await atRest();
  expect(tries).toBe(2);
});

test("a key comes back when it asked to, and not after the queue has closed", async () => {
  let runs = 0;
  const { queue: work, clock } = queue(async () => {
    runs++;
    return 1000;
  });
  work.add("a");
  await clock.advance(2500);
  expect(runs).toBe(3);
  work.close();
  work.add("b");
  await clock.advance(5000);
  expect([runs, clock.nextAt]).toEqual([3, undefined]);
});
