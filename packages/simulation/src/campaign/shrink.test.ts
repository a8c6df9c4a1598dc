import { expect, test } from "vitest";
import type { Operation } from "../history/index.ts";
import type { Case } from "../run/index.ts";
import { shrinkCase } from "./shrink.ts";

function caseOf(operations: readonly Operation["do"][], faults: Case["faults"] = []): Case {
  return {
    history: { operations: operations.map((each) => ({ do: each, afterMs: 1_000 }) as Operation) },
    faults,
    seed: 1,
  };
}

const kinds = ({ history }: Case): readonly string[] => history.operations.map((each) => each.do);

test("operations and faults that do not matter are removed, and pauses become plain", async () => {
  const start = caseOf(
    ["pass-time", "restart", "lose-pods", "pass-time"],
    [
      { kind: "cut-watches", at: 0 },
      { kind: "outage", ms: 5, at: 2 },
    ],
  );
  const shrunk = await shrinkCase(
    start,
    async (each) => kinds(each).includes("lose-pods") && each.faults.some(({ kind }) => kind === "outage"),
  );
  expect(kinds(shrunk)).toEqual(["lose-pods"]);
  expect(shrunk.faults).toEqual([{ kind: "outage", ms: 5, at: 0 }]);
  expect(shrunk.history.operations[0]?.afterMs).toBe(60_000);
});

test("a fault stays with its operation when earlier ones are removed", async () => {
  const start = caseOf(["pass-time", "pass-time", "restart"], [{ kind: "stale-restart", at: 2, back: 2 }]);
  const shrunk = await shrinkCase(start, async (each) => {
    const [fault] = each.faults;
    return fault?.kind === "stale-restart" && each.history.operations[fault.at]?.do === "restart";
  });
  expect(kinds(shrunk)).toEqual(["restart"]);
  expect(shrunk.faults).toEqual([{ kind: "stale-restart", at: 0, back: 0 }]);
});

test("the pause after a step back of the clock is kept, because ages would be lower than those of a new cluster", async () => {
  const operations: readonly Operation[] = [
    { do: "step-clock", ms: -3_600_000, afterMs: 3_660_000 },
    { do: "step-clock", ms: 86_400_000, afterMs: 10_000 },
  ];
  const shrunk = await shrinkCase(
    { history: { operations }, faults: [], seed: 1 },
    async ({ history }) => history.operations.length === 2,
  );
  expect(shrunk.history.operations.map(({ afterMs }) => afterMs)).toEqual([3_660_000, 60_000]);
});

test("a case that cannot be smaller is returned as it is", async () => {
  const start = caseOf(["restart", "lose-pods"]);
  expect(await shrinkCase(start, async () => false)).toBe(start);
});

test("the number of attempts is limited", async () => {
  const start = caseOf(Array.from({ length: 60 }, () => "restart" as const));
  let attempts = 0;
  await shrinkCase(start, async () => {
    attempts += 1;
    return false;
  });
  expect(attempts).toBeLessThan(200);
});
