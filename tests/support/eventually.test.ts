import { expect, test } from "vitest";
import { VirtualClock } from "@levelset/core/testing";
import { eventually } from "./eventually.ts";

/** A clock that advances by itself while a test sleeps. */
function clock(): { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> } {
  const virtual = new VirtualClock();
  return { now: () => virtual.now(), sleep: (ms) => virtual.advance(ms) };
}

test("a wait ends with the first value that is neither undefined nor false", async () => {
  const values = [undefined, false, 0, 1] as const;
  let polls = 0;
  expect(await eventually("a value", () => values[polls++], { clock: clock() })).toBe(0);
  expect(polls).toBe(3);
});

test("an error is not the end of a wait", async () => {
  let polls = 0;
  const poll = (): string => {
    if (polls++ < 2) throw new Error("refused");
    return "done";
  };
  expect(await eventually("a value", poll, { clock: clock() })).toBe("done");
});

test("a timeout names the condition and the last error, after a poll at the deadline", async () => {
  let polls = 0;
  const poll = (): never => {
    throw new Error(`refused ${++polls}`);
  };
  const options = { clock: clock(), timeoutMs: 100, pollMs: 50 };
  await expect(eventually("the server answers", poll, options)).rejects.toThrow(
    "not within 100 ms: the server answers: refused 3",
  );
});
