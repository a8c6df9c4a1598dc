import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { badness, findCondition, finish, isReady, isTrue, mirror, READY, resetFindings, setFinding } from "./index.ts";
import { worst } from "./ready.ts";
import type { Condition, Conditioned, Finding, RunOutcome } from "./index.ts";

const COMPLETE: RunOutcome = { kind: "complete" };
const T1 = "2026-01-01T00:00:01Z";
const T2 = "2026-01-01T00:00:02Z";

const finding = fc.oneof(
  fc.record({ status: fc.constant("True" as const) }),
  fc.record({ status: fc.constant("Unknown" as const) }),
  fc.record({ status: fc.constant("False" as const), severity: fc.constantFrom("Error", "Warning", "Info") }),
  fc.record({ status: fc.constant("False" as const) }),
);
/** Findings of distinct types, in step order. */
const findings: fc.Arbitrary<readonly Finding[]> = fc
  .uniqueArray(fc.constantFrom("A", "B", "C", "D", "E"), { maxLength: 5 })
  .chain((types) =>
    fc.tuple(
      ...types.map((type) => finding.map((rest): Finding => ({ type, reason: "R", message: `${type} m`, ...rest }))),
    ),
  );

function done(
  list: readonly Finding[],
  previous?: readonly Condition[],
  now = T1,
  outcome = COMPLETE,
): readonly Condition[] {
  return finish(list, { previous, outcome, generation: 3, now });
}

const ok = (type: string): Finding => ({ type, status: "True", reason: "Ready", message: "fine" });
const bad = (type: string, severity?: "Error" | "Warning" | "Info"): Finding => ({
  type,
  status: "False",
  ...(severity === undefined ? {} : { severity }),
  reason: "R",
  message: `${type} is bad`,
});
const unknown = (type: string): Finding => ({ type, status: "Unknown", reason: "Init", message: "?" });

describe("Ready", () => {
  test("is True only if the run completed and every managed condition is True", () => {
    fc.assert(
      fc.property(findings, fc.boolean(), (list, complete) => {
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

  test("goes Error, Warning, Info, Unknown, True as the worst ones are cleared", () => {
    const list = [bad("I", "Info"), bad("W", "Warning"), bad("E", "Error"), unknown("U")];
    const cleared = (...types: string[]): Condition | undefined =>
      done(list.map((one) => (types.includes(one.type) ? ok(one.type) : one)))[0];
    expect(cleared()).toMatchObject({ status: "False", severity: "Error" });
    expect(cleared("E")).toMatchObject({ status: "False", severity: "Warning" });
    expect(cleared("E", "W")).toMatchObject({ status: "False", severity: "Info" });
    expect(cleared("E", "W", "I")).toMatchObject({ status: "Unknown" });
    expect(cleared("E", "W", "I", "U")).toMatchObject({ status: "True", reason: "Ready", message: "Setup complete" });
  });

  test("counts a False without severity as an Error, so it is never hidden", () => {
    expect(badness(bad("A"))).toBe(badness(bad("A", "Error")));
    expect(done([bad("A"), bad("B", "Warning")])[0]).toMatchObject({ status: "False", message: "A is bad" });
  });

  test("of two equally bad conditions the latest transition wins, then the first in step order", () => {
    const before = done([bad("Z", "Error"), ok("A")], undefined, T1);
    expect(done([bad("Z", "Error"), bad("A", "Error")], before, T2)[0]?.message).toBe("A is bad");
    expect(done([bad("Z", "Error"), bad("A", "Error")], undefined, T1)[0]?.message).toBe("Z is bad");
  });

  test("says Deleting while the object is being deleted, and names what blocks it", () => {
    const outcome: RunOutcome = { kind: "deleting", blocking: bad("Bucket", "Warning") };
    const [ready] = done([bad("Bucket", "Warning")], undefined, T1, outcome);
    expect(ready).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "Deleting",
      message: "Bucket: Bucket is bad",
    });
    expect(done([], undefined, T1, { kind: "deleting", blocking: undefined })[0]).toMatchObject({ severity: "Info" });
  });

  test("cannot be overruled by a finding of that type", () => {
    expect(done([ok(READY), bad("A", "Info")]).filter(({ type }) => type === READY)).toEqual([
      expect.objectContaining({ status: "False" }),
    ]);
  });
});

describe("the stored list", () => {
  test("has Ready first and the rest by type", () => {
    fc.assert(
      fc.property(findings, (list) => {
        const types = done(list).map(({ type }) => type);
        expect(types).toEqual([READY, ...list.map(({ type }) => type).toSorted()]);
      }),
    );
  });

  test("is the same list again when the same findings come a second time, however late", () => {
    fc.assert(
      fc.property(findings, (list) => {
        const first = done(list, undefined, T1);
        expect(done(list, first, T2)).toEqual(first);
      }),
    );
  });

  test("moves a transition time exactly when the status changed", () => {
    fc.assert(
      fc.property(findings, findings, (before, after) => {
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

  test("drops conditions that no step manages any more", () => {
    const first = done([ok("Old"), ok("A")], undefined, T1);
    expect(findCondition(done([ok("A")], first, T2), "Old")).toBeUndefined();
  });

  test("never carries a severity beside True or Unknown, and says which generation it speaks of", () => {
    fc.assert(
      fc.property(findings, (list) => {
        // A step may say how bad something is that turned out well.
        for (const condition of done(list.map((one) => ({ severity: "Error", ...one })))) {
          expect("severity" in condition).toBe(condition.status === "False");
          expect(condition.observedGeneration).toBe(3);
        }
      }),
    );
  });

  test("has no field without a value", () => {
    const [ready, ...others] = finish([bad("A"), ok("B")], {
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

describe("findings", () => {
  test("start Unknown with reason Init", () => {
    expect(resetFindings(["A"])).toEqual([
      { type: "A", status: "Unknown", reason: "Init", message: "A not checked yet" },
    ]);
  });

  test("are replaced in place, so step order stays", () => {
    expect(setFinding([ok("A"), ok("B")], bad("A")).map(({ type, status }) => `${type} ${status}`)).toEqual([
      "A False",
      "B True",
    ]);
    expect(setFinding([ok("A")], ok("B"))).toHaveLength(2);
  });

  test("that are all True have no worst", () => {
    expect(worst(done([ok("A")]))).toBeUndefined();
  });
});

function child(generation: number, status?: Conditioned["status"]): Conditioned {
  const metadata = { name: "c", uid: "u", resourceVersion: "1", generation };
  return { apiVersion: "v1", kind: "Child", metadata, ...(status === undefined ? {} : { status }) };
}

describe("mirroring a child", () => {
  const ready = done([]);

  test("takes over its Ready when its status speaks of its latest spec", () => {
    expect(mirror("ChildReady", child(2, { observedGeneration: 2, conditions: ready }))).toMatchObject({
      type: "ChildReady",
      status: "True",
    });
  });

  test("takes over how bad it is, if it says so", () => {
    const mirrored = (...list: Finding[]): Finding =>
      mirror("C", child(2, { observedGeneration: 2, conditions: done(list) }));
    expect(mirrored(bad("A", "Warning"))).toStrictEqual({ ...bad("A", "Warning"), type: "C" });
    expect(mirrored(bad("A"))).toStrictEqual({ ...bad("A"), type: "C" });
  });

  test("gives Unknown for a Ready of an older or a newer generation", () => {
    expect(mirror("C", child(2, { observedGeneration: 1, conditions: ready }))).toMatchObject({
      status: "Unknown",
      reason: "Behind",
    });
    expect(mirror("C", child(2, { observedGeneration: 3, conditions: ready }))).toMatchObject({
      status: "Unknown",
      reason: "Ahead",
    });
  });

  test("takes the generation from the condition where the status has none", () => {
    const conditions = ready.map((one) => ({ ...one, observedGeneration: 2 }));
    expect(mirror("C", child(2, { conditions }))).toMatchObject({ status: "True" });
    expect(mirror("C", child(3, { conditions }))).toMatchObject({ status: "Unknown", reason: "Behind" });
    expect(isReady(child(2, { conditions }))).toBe(true);
    expect(isReady(child(3, { conditions }))).toBe(false);
  });

  test("gives Unknown/Init for a child that is absent or was never reconciled", () => {
    expect(mirror("C", undefined)).toMatchObject({ status: "Unknown", reason: "Init" });
    expect(mirror("C", child(1))).toMatchObject({ status: "Unknown", reason: "Init" });
    expect(mirror("C", child(1, {}))).toMatchObject({ status: "Unknown", reason: "Init" });
  });
});

describe("isReady", () => {
  const ready = done([]);

  test("needs both Ready=True and a status that speaks of the latest spec", () => {
    expect(isReady(child(2, { observedGeneration: 2, conditions: ready }))).toBe(true);
    expect(isReady(child(3, { observedGeneration: 2, conditions: ready }))).toBe(false);
    expect(isReady(child(2, { observedGeneration: 2, conditions: done([bad("A")]) }))).toBe(false);
    expect(isReady(child(2))).toBe(false);
  });

  test("trusts the generation of our own write over an older copy", () => {
    expect(isReady(child(2, { observedGeneration: 2, conditions: ready }), 3)).toBe(false);
    expect(isTrue(ready, READY)).toBe(true);
  });
});

test("a message that quotes text no API server takes is written with replacement characters", () => {
  const conditions = done([{ ...bad("A"), message: "the answer was a\ud800b\0" }]);
  expect(conditions.map(({ message }) => message)).toEqual([
    "the answer was a\ufffdb\ufffd",
    "the answer was a\ufffdb\ufffd",
  ]);
});
