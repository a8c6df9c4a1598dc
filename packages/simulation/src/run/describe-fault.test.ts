import { expect, test } from "vitest";
import { describeFault } from "./describe-fault.ts";
import { describeOperation } from "./describe-operation.ts";

test("a fault names the requests that it counts", () => {
  const fault = { at: 0, kind: "request", nth: 2, fault: { kind: "hang" } } as const;
  expect(describeFault(fault)).toBe("write 2: it hangs until it times out");
  expect(describeFault({ ...fault, on: "read" })).toBe("read 2: it hangs until it times out");
  expect(describeFault({ ...fault, on: "lease" })).toBe("lease request 2: it hangs until it times out");
});

test("a leader dies or stalls", () => {
  const takeover = "and the second replica takes over";
  expect(describeFault({ at: 0, kind: "leader-change" })).toBe(`the leader dies, ${takeover}`);
  const stalled = describeFault({ at: 0, kind: "leader-change", stallMs: 700_000 });
  expect(stalled).toBe(`the leader stalls for 700 s, ${takeover}`);
});

test("a step of the wall clock has a direction", () => {
  expect(describeOperation({ do: "step-clock", ms: 60_000, afterMs: 0 })).toBe("the wall clock steps forward by 60 s");
  expect(describeOperation({ do: "step-clock", ms: -60_000, afterMs: 0 })).toBe("the wall clock steps back by 60 s");
});
