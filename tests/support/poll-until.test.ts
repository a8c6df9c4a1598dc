import { expect, test } from "vitest";
import { VirtualClock } from "@levelset/core/testing";
import { pollUntil } from "./poll-until.ts";
import type { PollOptions } from "./poll-until.ts";

/** Options with a clock that advances by itself during a sleep. */
function options(): PollOptions {
  const virtual = new VirtualClock();
  return { clock: { now: () => virtual.now(), sleep: (ms) => virtual.advance(ms) }, timeoutMs: 100, pollMs: 50 };
}

test("a wait ends with the first value that is neither undefined nor false", async () => {
  const values = [undefined, false, 0, 1] as const;
  let polls = 0;
  expect(await pollUntil("a value", () => values[polls++], options())).toBe(0);
  expect(polls).toBe(3);
});

test("an error is not the end of a wait", async () => {
  let polls = 0;
  const poll = (): string => {
    if (polls++ < 2) throw new Error("refused");
    return "done";
  };
  expect(await pollUntil("a value", poll, options())).toBe("done");
});

test("a timeout names the condition and the last error, after a poll at the deadline", async () => {
  let polls = 0;
  const poll = (): never => {
    throw new Error(`refused ${++polls}`);
  };
  await expect(pollUntil("the server answers", poll, options())).rejects.toThrow(
    "not within 100 ms: the server answers: refused 3",
  );
});
