import fc from "fast-check";
import { expect, test } from "vitest";
import { isAbortError } from "../error/index.ts";
import { seededRandom, untilIdle, VirtualClock } from "../testing/index.ts";
import {
  abortable,
  backoffMs,
  KeyedMutex,
  LinkedAbortController,
  mapConcurrent,
  onAbort,
  Semaphore,
  Signal,
  whenAborted,
  withTimeout,
} from "./index.ts";

/** A signal that counts its listeners. */
function countedSignal(): { readonly controller: AbortController; readonly listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count -= 1;
    remove(...args);
  };
  return { controller, listeners: () => count };
}

test("a listener runs once on abort, at once if the signal has aborted, and never after it is disposed", () => {
  const controller = new AbortController();
  const calls: string[] = [];
  onAbort(controller.signal, () => calls.push("kept"));
  onAbort(controller.signal, () => calls.push("removed"))[Symbol.dispose]();
  onAbort(undefined, () => calls.push("none"));
  controller.abort();
  onAbort(controller.signal, () => calls.push("late"));
  expect(calls).toEqual(["kept", "late"]);
});

test("a linked controller aborts with the reason of the first signal", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  using linked = new LinkedAbortController([first.signal, undefined, second.signal]);
  const reason = new Error("lost");
  second.abort(reason);
  first.abort();
  expect(linked.signal.reason).toBe(reason);
});

test("a linked controller turns a reason that is not an error into an AbortError", () => {
  using linked = new LinkedAbortController([AbortSignal.abort("why")]);
  expect(isAbortError(linked.signal.reason)).toBe(true);
});

test("a finished operation leaves no listener and no timer, whether it succeeds, fails or times out", async () => {
  const clock = new VirtualClock();
  const { controller, listeners } = countedSignal();
  const run = async (work: Promise<unknown>): Promise<unknown> => {
    using limit = new LinkedAbortController([controller.signal], { clock, ms: 1_000 });
    return await limit.race(work).catch((error: unknown) => error);
  };
  const late = run(new Promise(() => {}));
  expect(await run(Promise.resolve(1))).toBe(1);
  expect(await run(Promise.reject(new Error("broken")))).toEqual(new Error("broken"));
  await clock.advance(1_000);
  expect(isAbortError(await late)).toBe(true);
  await abortable(Promise.resolve(), controller.signal);
  expect([listeners(), clock.nextTimerAt]).toEqual([0, undefined]);
});

test("work that ignores its signal does not delay an abort or a timeout", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const never = new Promise<never>(() => {});
  const failure = (work: Promise<never>): Promise<unknown> => work.catch((error: unknown) => error);
  const aborted = failure(abortable(never, controller.signal));
  controller.abort(new Error("stopping"));
  expect(isAbortError(await aborted)).toBe(true);
  const late = failure(withTimeout({ clock, ms: 50, error: () => new Error("late") }, never));
  await clock.advance(50);
  expect(await late).toEqual(new Error("late"));
  await whenAborted(controller.signal);
});

test("jobs of one key run in call order, also after a failure; other keys and no key do not wait", async () => {
  const mutex = new KeyedMutex();
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const job = (name: string, work: Promise<void>) => (): Promise<void> => {
    started.push(name);
    return work;
  };
  const failed = mutex.run("a", job("a1", gate.promise));
  const rest = [
    mutex.run("a", job("a2", Promise.resolve())),
    mutex.run("b", job("b1", Promise.resolve())),
    mutex.run(undefined, job("free", Promise.resolve())),
  ];
  await untilIdle();
  expect(started).toEqual(["a1", "b1", "free"]);
  gate.reject(new Error("broken"));
  await expect(failed).rejects.toThrow("broken");
  await Promise.all(rest);
  await untilIdle();
  expect([started.at(-1), mutex.size]).toEqual(["a2", 0]);
});

test("a semaphore never grants more permits than it has, and serves waiters in order", async () => {
  const semaphore = new Semaphore(2);
  const granted: number[] = [];
  const all = [1, 2, 3, 4].map((index) => semaphore.acquire().then(() => granted.push(index)));
  await untilIdle();
  expect([granted, semaphore.free]).toEqual([[1, 2], 0]);
  for (let index = 0; index < 4; index += 1) semaphore.release();
  await Promise.all(all);
  expect([granted, semaphore.free]).toEqual([[1, 2, 3, 4], 2]);
});

test("results have the order of the inputs, at most `limit` calls run, and a failure ends after the started calls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (inputs, limit) => {
      const clock = new VirtualClock();
      let running = 0;
      let most = 0;
      const work = async (ms: number): Promise<number> => {
        most = Math.max(most, (running += 1));
        await clock.sleep(ms);
        running -= 1;
        if (ms === 5) throw new Error("five");
        return ms * 2;
      };
      const result = mapConcurrent(inputs, work, limit).catch(() => running);
      await clock.advance(100);
      expect(await result).toEqual(inputs.includes(5) ? 0 : inputs.map((ms) => ms * 2));
      expect(most).toBeLessThanOrEqual(limit);
    }),
  );
});

test("a notification without a waiter is kept for the next wait; a timeout and an abort are not notifications", async () => {
  const clock = new VirtualClock();
  const signal = new Signal(clock);
  signal.notify();
  expect(await signal.wait(1_000)).toBe(true);
  const late = signal.wait(1_000);
  await clock.advance(1_000);
  expect([await late, await signal.wait(1_000, AbortSignal.abort())]).toEqual([false, false]);
});

test("a backoff starts with the first delay, grows by its factor, and stays within its maximum and jitter", () => {
  const limits = fc.record({
    firstMs: fc.integer({ min: 0, max: 1_000 }),
    maxMs: fc.integer({ min: 1_000, max: 100_000 }),
    factor: fc.constantFrom(1, 1.5, 2, 10),
    jitter: fc.constantFrom(0, 0.1, 0.5),
  });
  fc.assert(
    fc.property(limits, fc.nat(10_000), fc.integer(), (limit, failures, seed) => {
      const random = seededRandom(seed);
      const { firstMs, maxMs, factor, jitter } = limit;
      expect(backoffMs(1, { ...limit, jitter: 0 }, random)).toBe(firstMs);
      expect(backoffMs(3, { ...limit, jitter: 0 }, random)).toBe(Math.min(maxMs, firstMs * factor * factor));
      const delayMs = backoffMs(failures, limit, random);
      expect(delayMs).toBeGreaterThanOrEqual(firstMs * (1 - jitter));
      expect(delayMs).toBeLessThanOrEqual(maxMs * (1 + jitter));
    }),
  );
});
