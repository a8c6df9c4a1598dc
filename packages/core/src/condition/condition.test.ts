import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  severityRank,
  findCondition,
  computeConditions,
  isReady,
  isConditionTrue,
  mirrorReady,
  READY,
  initialConditionUpdates,
  setConditionUpdate,
} from "./index.ts";
import { worstCondition } from "./ready.ts";
import type { Condition, ObjectWithConditions, ConditionUpdate, ReconcileOutcome } from "./index.ts";

const COMPLETE: ReconcileOutcome = { kind: "complete" };
const T1 = "2026-01-01T00:00:01Z";
const T2 = "2026-01-01T00:00:02Z";

const update = fc.oneof(
  fc.record({ status: fc.constant("True" as const) }),
  fc.record({ status: fc.constant("Unknown" as const) }),
  fc.record({ status: fc.constant("False" as const), severity: fc.constantFrom("Error", "Warning", "Info") }),
  fc.record({ status: fc.constant("False" as const) }),
);
/** Updates of distinct types, in step order. */
const updates: fc.Arbitrary<readonly ConditionUpdate[]> = fc
  .uniqueArray(fc.constantFrom("A", "B", "C", "D", "E"), { maxLength: 5 })
  .chain((types) =>
    fc.tuple(
      ...types.map((type) =>
        update.map((rest): ConditionUpdate => ({ type, reason: "R", message: `${type} m`, ...rest })),
      ),
    ),
  );

function done(
  list: readonly ConditionUpdate[],
  previous?: readonly Condition[],
  now = T1,
  outcome = COMPLETE,
): readonly Condition[] {
  return computeConditions(list, { previous, outcome, generation: 3, now });
}

const ok = (type: string): ConditionUpdate => ({ type, status: "True", reason: "Ready", message: "fine" });
const bad = (type: string, severity?: "Error" | "Warning" | "Info"): ConditionUpdate => ({
  type,
  status: "False",
  ...(severity === undefined ? {} : { severity }),
  reason: "R",
  message: `${type} is bad`,
});
const unknown = (type: string): ConditionUpdate => ({ type, status: "Unknown", reason: "Init", message: "?" });

describe("Ready", () => {
  test("is True only if the run completed and every managed condition is True", () => {
    fc.assert(
      fc.property(updates, fc.boolean(), (list, complete) => {
        const [ready] = done(list, undefined, T1, complete ? COMPLETE : { kind: "incomplete" });
        expect(ready?.type).toBe(READY);
        expect(ready?.status === "True").toBe(complete && list.every(({ status }) => status === "True"));
      }),
    );
  });

  test("mirrors status, severity, reason and message of the worst condition", () => {
    const [ready] = done([ok("A"), bad("B", "Error")]);
    expect(ready).toMatchObject({ status: "False", severity: "Error", reason: "R", message: "B is bad" });
  });

  test("moves from Error to Warning, Info, Unknown and True as the worst conditions clear", () => {
    const list = [bad("I", "Info"), bad("W", "Warning"), bad("E", "Error"), unknown("U")];
    const cleared = (...types: string[]): Condition | undefined =>
      done(list.map((one) => (types.includes(one.type) ? ok(one.type) : one)))[0];
    expect(cleared()).toMatchObject({ status: "False", severity: "Error" });
    expect(cleared("E")).toMatchObject({ status: "False", severity: "Warning" });
    expect(cleared("E", "W")).toMatchObject({ status: "False", severity: "Info" });
    expect(cleared("E", "W", "I")).toMatchObject({ status: "Unknown" });
    expect(cleared("E", "W", "I", "U")).toMatchObject({ status: "True", reason: "Ready", message: "Setup complete" });
  });

  test("treats a False without severity as an Error", () => {
    expect(severityRank(bad("A"))).toBe(severityRank(bad("A", "Error")));
    expect(done([bad("A"), bad("B", "Warning")])[0]).toMatchObject({ status: "False", message: "A is bad" });
  });

  test("picks the latest transition among conditions of equal rank, then the first in step order", () => {
    const before = done([bad("Z", "Error"), ok("A")], undefined, T1);
    expect(done([bad("Z", "Error"), bad("A", "Error")], before, T2)[0]?.message).toBe("A is bad");
    expect(done([bad("Z", "Error"), bad("A", "Error")], undefined, T1)[0]?.message).toBe("Z is bad");
  });

  test("has reason Deleting during deletion and names the blocking condition", () => {
    const outcome: ReconcileOutcome = { kind: "deleting", blocking: bad("Bucket", "Warning") };
    const [ready] = done([bad("Bucket", "Warning")], undefined, T1, outcome);
    expect(ready).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "Deleting",
      message: "Bucket: Bucket is bad",
    });
    expect(done([], undefined, T1, { kind: "deleting", blocking: undefined })[0]).toMatchObject({ severity: "Info" });
  });

  test("cannot be overridden by an update of type Ready", () => {
    expect(done([ok(READY), bad("A", "Info")]).filter(({ type }) => type === READY)).toEqual([
      expect.objectContaining({ status: "False" }),
    ]);
  });
});

describe("the stored list", () => {
  test("has Ready first and the rest by type", () => {
    fc.assert(
      fc.property(updates, (list) => {
        const types = done(list).map(({ type }) => type);
        expect(types).toEqual([READY, ...list.map(({ type }) => type).toSorted()]);
      }),
    );
  });

  test("does not change when the same updates are computed again later", () => {
    fc.assert(
      fc.property(updates, (list) => {
        const first = done(list, undefined, T1);
        expect(done(list, first, T2)).toEqual(first);
      }),
    );
  });

  test("changes a transition time exactly when the status changes", () => {
    fc.assert(
      fc.property(updates, updates, (before, after) => {
        const first = done(before, undefined, T1);
        for (const condition of done(after, first, T2)) {
          const moved = findCondition(first, condition.type)?.status !== condition.status;
          expect(condition.lastTransitionTime).toBe(moved ? T2 : T1);
        }
      }),
    );
  });

  test("keeps the transition time when only the message changed", () => {
    const first = done([bad("A", "Info")], undefined, T1);
    const [ready, a] = done([{ ...bad("A", "Info"), message: "still" }], first, T2);
    expect([ready?.lastTransitionTime, a?.lastTransitionTime, a?.message]).toEqual([T1, T1, "still"]);
  });

  test("drops conditions that are no longer managed by a step", () => {
    const first = done([ok("Old"), ok("A")], undefined, T1);
    expect(findCondition(done([ok("A")], first, T2), "Old")).toBeUndefined();
  });

  test("has a severity only on False conditions, and always the observed generation", () => {
    fc.assert(
      fc.property(updates, (list) => {
        // Steps may set a severity on a condition that turns out True.
        for (const condition of done(list.map((one) => ({ severity: "Error", ...one })))) {
          expect("severity" in condition).toBe(condition.status === "False");
          expect(condition.observedGeneration).toBe(3);
        }
      }),
    );
  });

  test("omits fields without a value", () => {
    const [ready, ...others] = computeConditions([bad("A"), ok("B")], {
      previous: undefined,
      outcome: COMPLETE,
      generation: undefined,
      now: T1,
    });
    const mirrored = { type: READY, status: "False", reason: "R", message: "A is bad", lastTransitionTime: T1 };
    expect(ready).toStrictEqual(mirrored);
    expect(others).toStrictEqual([
      { ...mirrored, type: "A" },
      { type: "B", status: "True", reason: "Ready", message: "fine", lastTransitionTime: T1 },
    ]);
  });
});

describe("condition updates", () => {
  test("start Unknown with reason Init", () => {
    expect(initialConditionUpdates(["A"])).toEqual([
      { type: "A", status: "Unknown", reason: "Init", message: "A not checked yet" },
    ]);
  });

  test("are replaced in place, so step order stays", () => {
    expect(setConditionUpdate([ok("A"), ok("B")], bad("A")).map(({ type, status }) => `${type} ${status}`)).toEqual([
      "A False",
      "B True",
    ]);
    expect(setConditionUpdate([ok("A")], ok("B"))).toHaveLength(2);
  });

  test("have no worst condition when all are True", () => {
    expect(worstCondition(done([ok("A")]))).toBeUndefined();
  });
});

function child(generation: number, status?: ObjectWithConditions["status"]): ObjectWithConditions {
  const metadata = { name: "c", uid: "u", resourceVersion: "1", generation };
  return { apiVersion: "v1", kind: "Child", metadata, ...(status === undefined ? {} : { status }) };
}

describe("mirroring a child", () => {
  const ready = done([]);

  test("copies Ready when the status covers the latest spec", () => {
    expect(mirrorReady("ChildReady", child(2, { observedGeneration: 2, conditions: ready }))).toMatchObject({
      type: "ChildReady",
      status: "True",
    });
  });

  test("copies the severity if it is set", () => {
    const mirrored = (...list: ConditionUpdate[]): ConditionUpdate =>
      mirrorReady("C", child(2, { observedGeneration: 2, conditions: done(list) }));
    expect(mirrored(bad("A", "Warning"))).toStrictEqual({ ...bad("A", "Warning"), type: "C" });
    expect(mirrored(bad("A"))).toStrictEqual({ ...bad("A"), type: "C" });
  });

  test("copies every field that a step can report, through the stored list and Ready", () => {
    // `Required` fails to compile until it has a field that is added to the type.
    const all: Required<ConditionUpdate> = { type: "A", status: "False", severity: "Info", reason: "R", message: "m" };
    const conditions = done([{ ...all, extra: "never stored" } as ConditionUpdate]);
    expect(findCondition(conditions, "A")).toStrictEqual({ ...all, lastTransitionTime: T1, observedGeneration: 3 });
    expect(mirrorReady("A", child(3, { conditions }))).toStrictEqual(all);
  });

  test("returns Unknown for a Ready of an older or a newer generation", () => {
    expect(mirrorReady("C", child(2, { observedGeneration: 1, conditions: ready }))).toMatchObject({
      status: "Unknown",
      reason: "Behind",
    });
    expect(mirrorReady("C", child(2, { observedGeneration: 3, conditions: ready }))).toMatchObject({
      status: "Unknown",
      reason: "Ahead",
    });
  });

  test("reads the generation from the condition if the status has none", () => {
    const conditions = ready.map((one) => ({ ...one, observedGeneration: 2 }));
    expect(mirrorReady("C", child(2, { conditions }))).toMatchObject({ status: "True" });
    expect(mirrorReady("C", child(3, { conditions }))).toMatchObject({ status: "Unknown", reason: "Behind" });
    expect(isReady(child(2, { conditions }))).toBe(true);
    expect(isReady(child(3, { conditions }))).toBe(false);
  });

  test("returns Unknown with reason Init for a child that is absent or was never reconciled", () => {
    expect(mirrorReady("C", undefined)).toMatchObject({ status: "Unknown", reason: "Init" });
    expect(mirrorReady("C", child(1))).toMatchObject({ status: "Unknown", reason: "Init" });
    expect(mirrorReady("C", child(1, {}))).toMatchObject({ status: "Unknown", reason: "Init" });
  });
});

describe("isReady", () => {
  const ready = done([]);

  test("requires both Ready=True and a status that covers the latest spec", () => {
    expect(isReady(child(2, { observedGeneration: 2, conditions: ready }))).toBe(true);
    expect(isReady(child(3, { observedGeneration: 2, conditions: ready }))).toBe(false);
    expect(isReady(child(2, { observedGeneration: 2, conditions: done([bad("A")]) }))).toBe(false);
    expect(isReady(child(2))).toBe(false);
  });

  test("prefers the generation of its own write over that of an older copy", () => {
    expect(isReady(child(2, { observedGeneration: 2, conditions: ready }), 3)).toBe(false);
    expect(isConditionTrue(ready, READY)).toBe(true);
  });
});

test("characters in a message that an API server rejects are replaced", () => {
  const conditions = done([{ ...bad("A"), message: "the answer was a\ud800b\0" }]);
  expect(conditions.map(({ message }) => message)).toEqual([
    "the answer was a\ufffdb\ufffd",
    "the answer was a\ufffdb\ufffd",
  ]);
});
