import { formatTimestamp } from "@levelset/core/internal";
import type { Condition, KubeObject, ObjectMeta } from "@levelset/core";
import type { RunJson, StepJson } from "../manager/index.ts";
import { refOf } from "../engine/index.ts";
import type { ObjectRef } from "../engine/index.ts";
import { objectRefId } from "./explain-input.ts";
import type { ExplainInput, FoundObject, ObjectLookup } from "./explain-input.ts";

/** The time of all events in these tests. */
export const NOON: string = formatTimestamp(Date.UTC(2026, 0, 1, 12));

/** Returns an object with these fields. */
export function testObject(
  name: string,
  rest: { readonly metadata?: Partial<ObjectMeta>; readonly status?: object; readonly spec?: object } = {},
  kind: { readonly apiVersion: string; readonly kind: string } = { apiVersion: "test.levelset.dev/v1", kind: "Thing" },
): KubeObject {
  return {
    ...kind,
    ...rest,
    metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1", generation: 1, ...rest.metadata },
  };
}

/** Returns a status for generation 1 with these conditions. */
export function statusWith(...conditions: readonly (Partial<Condition> & { readonly type: string })[]): object {
  return {
    observedGeneration: 1,
    conditions: conditions.map((condition) => ({
      status: "True",
      reason: "Because",
      message: "",
      lastTransitionTime: NOON,
      ...condition,
    })),
  };
}

/** Returns a run with these step results. */
export function runWith(of: KubeObject, ...steps: readonly (Partial<StepJson> & { readonly step: string })[]): RunJson {
  return {
    ...refOf(of),
    controller: of.kind.toLowerCase(),
    number: 7,
    generation: 1,
    reasons: ["it appeared"],
    startedAt: NOON,
    waitedMs: 0,
    durationMs: 1,
    writes: 1,
    result: "wait",
    steps: steps.map((step) => ({ condition: step.step, phase: "do", result: "wait", durationMs: 0, ...step })),
  };
}

/** Returns the lookup of an existing object. */
export function foundObject(object: KubeObject, rest: Partial<FoundObject> = {}): FoundObject {
  return { kind: "seen", object, hasStatus: true, children: [], events: [], unreadableKinds: [], ...rest };
}

/** Returns the input of `explain` for the first object. */
export function explainInput(
  root: FoundObject,
  ...others: readonly (FoundObject | (ObjectLookup & { readonly ref: ObjectRef }))[]
): ExplainInput {
  const lookups = [root, ...others].map((lookup): readonly [string, ObjectLookup] => {
    return "ref" in lookup ? [objectRefId(lookup.ref), lookup] : [objectRefId(refOf(lookup.object)), lookup];
  });
  return { root: refOf(root.object), lookups: new Map(lookups) };
}
