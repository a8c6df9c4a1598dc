import { StatusError } from "@levelset/core";
import { untilIdle, memoryLogger, VirtualClock } from "@levelset/core/testing";
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

test("a key added several times is processed once, and never concurrently", async () => {
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
  await untilIdle();
  work.add("a");
  await untilIdle();
  expect(events).toEqual(["begin a"]);
  opened.resolve(undefined);
  await untilIdle();
  expect(events).toEqual(["begin a", "end a", "begin a", "end a"]);
});

test("a failing key is retried with backoff and does not delay other keys", async () => {
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
  await untilIdle();
  expect([done, logs.length]).toEqual([["a", "b"], 1]);
  await clock.advance(50);
  await clock.advance(99);
  expect(logs).toHaveLength(2);
  await clock.advance(1);
  expect(logs).toHaveLength(3);
});

test("a conflict is retried at once, but only the first time", async () => {
  let tries = 0;
  const { queue: work } = queue(async () => {
    tries++;
    throw new StatusError("Conflict", "the object has been modified");
  });
  work.add("a");
  await untilIdle();
  expect(tries).toBe(2);
});

test("a key is processed again after its delay, but not after the queue is closed", async () => {
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
  expect([runs, clock.nextTimerAt]).toEqual([3, undefined]);
});
