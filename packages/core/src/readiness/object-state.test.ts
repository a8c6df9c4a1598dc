import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeConditions } from "../condition/index.ts";
import type { Condition, ConditionUpdate, ObjectState, ReconcileOutcome } from "../condition/index.ts";
import type { KubeObject } from "../object/index.ts";
import { objectState, stateOfConditions } from "./object-state.ts";

type Input = Omit<ConditionUpdate, "message">;

const condition = (update: Input): Condition => ({ message: "", lastTransitionTime: "", ...update });
const ready = (update: Omit<Input, "type">): Condition => condition({ type: "Ready", ...update });
const other = (type: string, status: Condition["status"]): Condition => condition({ type, status, reason: "R" });

/** Returns an object at generation 2 whose status a controller has written. */
function object(conditions: readonly Condition[], rest: object = {}): KubeObject {
  const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 2 };
  const found = { apiVersion: "x.dev/v1", kind: "Thing", metadata, status: { observedGeneration: 2, conditions } };
  return { ...found, ...rest };
}

const shown = (found: KubeObject): ObjectState => objectState(found, { hasStatus: true });

const CASES: readonly (readonly [ObjectState, readonly Condition[]])[] = [
  ["Ready", [ready({ status: "True", reason: "Ready" })]],
  ["Progressing", [ready({ status: "Unknown", reason: "Running" })]],
  ["Progressing", [ready({ status: "False", severity: "Info", reason: "Waiting" })]],
  ["Progressing", [ready({ status: "False", reason: "Issuing" })]],
  ["Degraded", [ready({ status: "False", severity: "Warning", reason: "Error" })]],
  ["Failed", [ready({ status: "False", severity: "Error", reason: "InvalidManifest" })]],
  ["Failed", [ready({ status: "False", severity: "Warning", reason: "Failed" }), other("Stalled", "True")]],
  ["Progressing", [ready({ status: "True", reason: "Ready" }), other("Reconciling", "True")]],
  ["Paused", [ready({ status: "False", severity: "Info", reason: "Suspended" })]],
];

test.each(CASES)("%s is the state of the conditions %j, in a computed status and on an object", (state, all) => {
  expect(stateOfConditions(all)).toBe(state);
  expect(shown(object(all))).toBe(state);
});

describe("the state of an object", () => {
  const isReady = [ready({ status: "True", reason: "Ready" })];
  const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 2 };

  test("is Deleting after its deletion was requested, and Ready says so in a computed status", () => {
    const deleting = { metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(shown(object(isReady, deleting))).toBe("Deleting");
    expect(stateOfConditions([ready({ status: "False", severity: "Error", reason: "Deleting" })])).toBe("Deleting");
  });

  test("is Paused by the annotation, and by spec.suspend of kinds of levelset only", () => {
    const annotations = { "levelset.dev/paused": "true" };
    expect(shown(object(isReady, { metadata: { ...metadata, annotations } }))).toBe("Paused");
    const suspended = object(isReady, { spec: { suspend: true } });
    expect(shown(suspended)).toBe("Ready");
    expect(shown({ ...suspended, apiVersion: "operand.levelset.dev/v1alpha1" })).toBe("Paused");
  });

  test("is Progressing while the conditions are about another generation", () => {
    const conditions = [ready({ status: "False", severity: "Warning", reason: "Error" })];
    expect(shown(object(conditions, { metadata: { ...metadata, generation: 3 } }))).toBe("Progressing");
  });

  test("is Unknown until a controller has reported", () => {
    expect(shown(object([], { status: undefined }))).toBe("Unknown");
    expect(objectState(object([], { status: undefined }), { hasStatus: false })).toBe("Ready");
    expect(shown(object([]))).toBe("Ready");
    expect(objectState(object([]), { hasStatus: true, reportsReady: true })).toBe("Unknown");
    expect(stateOfConditions([])).toBe("Unknown");
  });
});

test("an object has the state of the conditions that a run has computed for its generation", () => {
  const update = fc.record({
    type: fc.constantFrom("A", "B", "C"),
    status: fc.constantFrom("True", "False", "Unknown"),
    severity: fc.constantFrom("Error", "Warning", "Info", undefined),
    reason: fc.constantFrom("R", "Suspended", "Init"),
    message: fc.constant(""),
  });
  const outcomes = fc.constantFrom<ReconcileOutcome>({ kind: "complete" }, { kind: "incomplete" }, { kind: "running" });
  fc.assert(
    fc.property(fc.uniqueArray(update, { selector: ({ type }) => type }), outcomes, (updates, outcome) => {
      const list = updates.map(({ severity, ...rest }) => (severity === undefined ? rest : { ...rest, severity }));
      const conditions = computeConditions(list, { previous: undefined, outcome, generation: 2, now: "" });
      expect(shown(object(conditions))).toBe(stateOfConditions(conditions));
    }),
  );
});
