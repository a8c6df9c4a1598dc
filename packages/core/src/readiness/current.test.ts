import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CEL_DYN, celEnvironment, celFromJson } from "../cel/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { KubeObject } from "../object/index.ts";
import { READINESS_FUNCTIONS, readinessOf } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

const KINDS = [
  ["apps/v1", "Deployment"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["apps/v1", "ReplicaSet"],
  ["batch/v1", "Job"],
  ["v1", "Pod"],
  ["v1", "PersistentVolumeClaim"],
  ["apiregistration.k8s.io/v1", "APIService"],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
  ["x.dev/v1", "Thing"],
] as const;

function object([apiVersion, kind]: readonly [string, string], generation: number, status: Fields): KubeObject {
  const metadata = { name: "a", uid: "u", resourceVersion: "1", generation };
  return { apiVersion, kind, metadata, spec: { replicas: 1 }, status } as KubeObject;
}

/** A status that reports success, for objects of any kind. */
const WELL: Fields = {
  phase: "Bound",
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  fullyLabeledReplicas: 1,
  desiredNumberScheduled: 1,
  updatedNumberScheduled: 1,
  numberReady: 1,
  numberAvailable: 1,
};

const conditions = (...list: readonly Fields[]): Fields => ({
  conditions: list.map((condition) => ({ status: "True", ...condition })),
});

const TYPES = ["Ready", "Available", "Stalled", "Reconciling", "Established", "Complete"];

test("a status of an older or newer generation makes no object of any kind ready or failed", () => {
  const generations = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }));
  const types = fc.subarray(TYPES);
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), generations, types, (kind, [generation, observedGeneration], present) => {
      fc.pre(generation !== observedGeneration);
      const status = { ...WELL, observedGeneration, ...conditions(...present.map((type) => ({ type }))) };
      const { kind: state, message } = readinessOf(object(kind, generation, status));
      expect(state).toBe("progressing");
      expect(message).toContain(`generation ${observedGeneration}`);
    }),
  );
});

describe("a custom resource that reports the generation in its conditions only", () => {
  const THING = KINDS[9];
  const say = (generation: number, ...list: readonly Fields[]): string => {
    const { kind, message } = readinessOf(object(THING, generation, conditions(...list)));
    return `${kind}: ${message}`;
  };

  test.each(["Ready", "Available"])("is not ready if %s is of another generation", (type) => {
    expect(say(2, { type, observedGeneration: 2 })).toBe(`ready: ${type} is True`);
    expect(say(2, { type, observedGeneration: 1 })).toBe("progressing: observed generation 1 of 2");
    expect(say(2, { type, observedGeneration: 3 })).toBe(
      "progressing: the status is about generation 3, ahead of generation 2",
    );
    expect(say(2, { type })).toBe(`ready: ${type} is True`);
  });

  test("is not failed or reconciling if the condition is of another generation", () => {
    const stalled = { type: "Stalled", message: "stuck" };
    const ready = { type: "Ready", observedGeneration: 2 };
    expect(say(2, { ...stalled, observedGeneration: 1 }, ready)).toBe("ready: Ready is True");
    expect(say(2, { ...stalled, observedGeneration: 2 }, ready)).toBe("failed: stuck");
    expect(say(2, { type: "Reconciling", observedGeneration: 1 }, ready)).toBe("ready: Ready is True");
    expect(say(2, { ...stalled, observedGeneration: 1 }, { ...ready, observedGeneration: 1 })).toBe(
      "progressing: observed generation 1 of 2",
    );
  });
});

describe("expressions", () => {
  const environment = celEnvironment({ variables: { self: CEL_DYN }, libraries: [READINESS_FUNCTIONS] });
  const evaluate = (source: string, self: unknown): unknown => {
    const compiled = environment.compile(source);
    if (compiled.kind === "issues") return compiled.issues[0]?.message;
    const result = compiled.program.evaluate({ self: celFromJson(self as JsonValue) });
    return result.kind === "value" ? result.value : result.error.message;
  };
  const thing = (generation: number, status: Fields): KubeObject => object(KINDS[9], generation, status);

  test("isCurrent reports whether the status, or one condition, covers the latest generation", () => {
    const at = (observedGeneration: number): KubeObject => thing(2, { observedGeneration });
    expect([1, 2, 3].map((observed) => evaluate("isCurrent(self)", at(observed)))).toEqual([false, true, false]);
    expect(evaluate("isCurrent(self)", thing(2, {}))).toBe(false);
    const mixed = thing(2, conditions({ type: "A", observedGeneration: 2 }, { type: "B", observedGeneration: 1 }));
    expect(evaluate("isCurrent(self, 'A') && !isCurrent(self, 'B')", mixed)).toBe(true);
  });

  test("readiness returns the state name that is shown to people", () => {
    const ready = (status: Fields): unknown => evaluate("readiness(self)", thing(1, conditions(status)));
    expect(ready({ type: "Ready" })).toBe("Ready");
    expect(ready({ type: "Ready", status: "Unknown" })).toBe("Progressing");
    expect(ready({ type: "Stalled" })).toBe("Failed");
    const deleting = { ...thing(1, {}), metadata: { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(evaluate("readiness(self)", deleting)).toBe("Deleting");
  });

  test.each(["isCurrent", "readiness"])("%s rejects values that are not objects", (name) => {
    for (const value of [{}, [], "x", { kind: "Thing" }, { kind: "Thing", metadata: [] }]) {
      expect(evaluate(`${name}(self)`, value)).toContain("not a Kubernetes object");
    }
  });
});
