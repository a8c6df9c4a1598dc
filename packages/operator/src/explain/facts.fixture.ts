import { timestamp } from "@levelset/core";
import type { Condition, KubeObject, ObjectMeta } from "@levelset/core";
import type { RunJson, StepJson } from "../manager/index.ts";
import { refOf } from "../step/index.ts";
import type { ObjectRef } from "../step/index.ts";
import { refId } from "./facts.ts";
import type { Facts, Seen, Sight } from "./facts.ts";

/** When everything in these tests happened. */
export const NOON: string = timestamp(Date.UTC(2026, 0, 1, 12));

/** An object with as much as a test says. */
export function thing(
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

/** The status of an object whose conditions speak of its first generation. */
export function conditioned(...conditions: readonly (Partial<Condition> & { readonly type: string })[]): object {
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

/** A run whose steps came to these results. */
export function ran(of: KubeObject, ...steps: readonly (Partial<StepJson> & { readonly step: string })[]): RunJson {
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

/** An object as it was seen. */
export function saw(object: KubeObject, rest: Partial<Seen> = {}): Seen {
  return { kind: "seen", object, hasStatus: true, children: [], events: [], blind: [], ...rest };
}

/** What was seen around the first object. */
export function factsOf(root: Seen, ...others: readonly (Seen | (Sight & { readonly ref: ObjectRef }))[]): Facts {
  const sights = [root, ...others].map((sight): readonly [string, Sight] => {
    return "ref" in sight ? [refId(sight.ref), sight] : [refId(refOf(sight.object)), sight];
  });
  return { root: refOf(root.object), sights: new Map(sights) };
}
