import type { JsonObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completedConditions, conditionsOf, progressOf } from "./index.ts";
import type { Cause, Evidence, Situation, WorkState } from "./index.ts";

const CAUSE: Cause = { reason: "Why", message: "because" };
const KINDS = ["progressing", "waiting", "failed", "undetermined"] as const;
const situations: fc.Arbitrary<Situation> = fc.oneof(
  fc.constant<Situation>({ kind: "reached" }),
  fc.constantFrom(...KINDS).map((kind) => ({ kind, ...CAUSE })),
);
const states: fc.Arbitrary<WorkState> = fc
  .tuple(fc.boolean(), fc.option(fc.boolean()))
  .map(([isStarted, isFinalized]) => ({
    isStarted,
    ...(isFinalized === null ? {} : { deletion: { isFinalized } }),
  }));
const statuses = fc.constantFrom("True", "False", "Unknown");
const written: fc.Arbitrary<readonly JsonObject[]> = fc
  .subarray(["Available", "Applied", "Health", "Finalized", "Custom"])
  .chain((types) => fc.tuple(...types.map((type) => statuses.map((status): JsonObject => ({ type, status })))));
/** Self-consistent evidence, as produced by a run. */
const evidences: fc.Arbitrary<Evidence> = fc
  .tuple(situations, states, fc.boolean())
  .map(([situation, state, isExecution]) => ({
    situation,
    state,
    progress: situation.kind === "progressing" && state.deletion === undefined && isExecution ? CAUSE : undefined,
    refusal: situation.kind === "failed" && isExecution ? CAUSE : undefined,
  }));

function statusesIn(conditions: readonly unknown[]): Readonly<Record<string, string>> {
  const list = conditions as readonly { readonly type: string; readonly status: string }[];
  return Object.fromEntries(list.map(({ type, status }) => [type, status]));
}

describe("the conditions of any situation", () => {
  test("have Health=False exactly if the adapter could not determine the state, and then Available=Unknown", () => {
    fc.assert(
      fc.property(situations, states, (situation, state) => {
        const { Available, Health, Finalized } = statusesIn(conditionsOf(situation, state));
        expect(Health).toBe(situation.kind === "undetermined" ? "False" : "True");
        expect(Health === "True" || (Available === "Unknown" && Finalized !== "True")).toBe(true);
      }),
    );
  });

  test("have Applied=True whenever work was started, and Available=True only if reached and not deleting", () => {
    fc.assert(
      fc.property(situations, states, (situation, state) => {
        const { Available, Applied } = statusesIn(conditionsOf(situation, state));
        expect(Applied === "True" || !state.isStarted).toBe(true);
        expect(Available === "True").toBe(situation.kind === "reached" && state.deletion === undefined);
      }),
    );
  });
});

describe("the conditions that a task computes", () => {
  test("are complete, keep the declared order, and never contradict the evidence", () => {
    fc.assert(
      fc.property(written, evidences, (conditions, evidence) => {
        const completed = completedConditions([...conditions], evidence);
        const is = statusesIn(completed);
        expect(Object.keys(is)).toEqual(expect.arrayContaining(["Available", "Applied", "Health"]));
        expect(completed.slice(0, conditions.length)).toMatchObject(conditions.map(({ type }) => ({ type })));
        const isClaimed = is["Available"] !== "Unknown" || is["Health"] === "True" || is["Finalized"] === "True";
        expect(evidence.situation.kind === "undetermined" && isClaimed).toBe(false);
      }),
    );
  });

  test("are unchanged unless something is in progress, rejected or undetermined", () => {
    fc.assert(
      fc.property(written, evidences, (conditions, evidence) => {
        fc.pre(conditions.length > 0 && evidence.situation.kind !== "undetermined");
        const quiet = { ...evidence, progress: undefined, refusal: undefined };
        expect(completedConditions([...conditions], quiet).slice(0, conditions.length)).toEqual(conditions);
      }),
    );
  });

  test("have Available=Unknown while a resource is in progress", () => {
    fc.assert(
      fc.property(written, evidences, (conditions, evidence) => {
        fc.pre(evidence.situation.kind !== "undetermined" && conditions.some(({ type }) => type === "Available"));
        const working = { ...evidence, progress: CAUSE, refusal: undefined };
        expect(statusesIn(completedConditions([...conditions], working))["Available"]).toBe("Unknown");
      }),
    );
  });
});

test("completing conditions is idempotent", () => {
  fc.assert(
    fc.property(written, evidences, (conditions, evidence) => {
      const once = completedConditions([...conditions], evidence);
      expect(completedConditions([...once], evidence)).toEqual(once);
    }),
  );
});

describe("an object is in progress", () => {
  const conditions = (...list: readonly (readonly [string, number])[]): JsonObject => ({
    conditions: list.map(([type, observedGeneration]) => ({ type, status: "True", observedGeneration })),
  });

  test.each<[string, string, JsonObject, string | undefined]>([
    ["x.dev/v1", "Thing", { observedGeneration: 1 }, "observed generation 1 of 2"],
    ["x.dev/v1", "Thing", { observedGeneration: 2 }, undefined],
    ["x.dev/v1", "Thing", { observedGeneration: 3 }, "the status is about generation 3, ahead of generation 2"],
    ["x.dev/v1", "Thing", {}, undefined],
    ["x.dev/v1", "Gateway", conditions(["Accepted", 1], ["Programmed", 1]), "observed generation 1 of 2"],
    ["x.dev/v1", "Gateway", conditions(["Accepted", 2], ["Programmed", 1]), undefined],
    ["x.dev/v1", "Thing", conditions(["Reconciling", 2], ["Ready", 1]), "observed generation 1 of 2"],
    ["apps/v1", "Deployment", {}, "generation 2 is not observed yet"],
    ["apps/v1", "StatefulSet", { observedGeneration: 2 }, undefined],
    ["batch/v1", "Job", { startTime: "2027-01-15T08:00:00Z", active: 1 }, "0 of 1 pods succeeded, 1 active"],
    ["batch/v1", "Job", { conditions: [{ type: "Complete", status: "True" }] }, undefined],
    ["batch/v1", "Job", { conditions: [{ type: "Failed", status: "True" }] }, undefined],
  ])("%s %s with %j: %s", (apiVersion, kind, status, expected) => {
    expect(progressOf({ apiVersion, kind, metadata: { name: "a", generation: 2 }, status })).toBe(expected);
  });
});
