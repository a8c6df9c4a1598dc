import fc from "fast-check";
import type { AdapterStatus } from "./report/adapter-status.ts";
import { aggregate } from "./aggregate.ts";
import { testKind, OneResource } from "./fleet.fixture.ts";
import type { Resource, ResourceCondition } from "./resource.ts";
import { availableByTable, readyByTable } from "./truth-table.fixture.ts";
import type { Snapshot, TableResult } from "./truth-table.fixture.ts";

const ADAPTERS = ["a", "b", "c"];
const KIND = testKind({ required_adapters: ADAPTERS });

/** Any state, including unreachable ones, such as after a change of the required adapters. */
export interface AnyState {
  readonly snapshots: readonly (Snapshot | undefined)[];
  readonly generation: number;
  readonly deleting: boolean;
  readonly children: number;
  readonly before: { readonly isUp: boolean; readonly generation: number } | undefined;
}

const generation = fc.integer({ min: 1, max: 3 });

/** Random states. */
export const states: fc.Arbitrary<AnyState> = fc.record({
  snapshots: fc.array(
    fc.option(
      fc.record({
        available: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
        finalized: fc.boolean(),
        generation,
        time: fc.integer({ min: 20, max: 40 }),
      }),
      { nil: undefined, freq: 6 },
    ),
    { minLength: ADAPTERS.length, maxLength: ADAPTERS.length },
  ),
  generation: fc.constant(3),
  deleting: fc.boolean(),
  children: fc.nat(1),
  before: fc.option(fc.record({ isUp: fc.boolean(), generation }), { nil: undefined }),
});

/** Returns the results of the expressions and of the tables for comparison. */
export function compareWithTable(state: AnyState): { readonly byExpressions: unknown; readonly byTable: unknown } {
  const times = { createdTime: 0, lastUpdatedTime: 7, lastTransitionTime: 5 };
  const before = state.before && {
    status: state.before.isUp ? ("True" as const) : ("False" as const),
    observedGeneration: state.before.generation,
    reason: "Before",
    ...times,
  };
  const conditions =
    before === undefined ? [] : ["Reconciled", "LastKnownReconciled"].map((type) => ({ type, ...before }));
  const blank = new OneResource(KIND).resource;
  const resource: Resource = {
    ...blank,
    generation: state.generation,
    updatedTime: 10,
    conditions,
    ...(state.deleting ? { deletion: { time: 10, by: "user" } } : {}),
  };
  const statuses = state.snapshots.flatMap((snapshot, index) => statusOf(ADAPTERS[index] ?? "", snapshot));
  const causeTime = 50;
  const found = aggregate({ kind: KIND, resource, statuses, children: state.children, causeTime });
  const input = { ...state, updatedTime: 10, causeTime };
  return {
    byExpressions: ["Ready", "Available"].map((type) => resultOf(found.find((condition) => condition.type === type))),
    byTable: [readyByTable(input, before), availableByTable(input, before)],
  };
}

function statusOf(adapter: string, snapshot: Snapshot | undefined): readonly AdapterStatus[] {
  if (snapshot === undefined) return [];
  const status = (isTrue: boolean): "True" | "False" => (isTrue ? "True" : "False");
  const conditions = [
    { type: "Available", status: status(snapshot.available), lastTransitionTime: 0 },
    { type: "Finalized", status: status(snapshot.finalized), lastTransitionTime: 0 },
  ];
  const verdict = { observedGeneration: snapshot.generation, observedTime: snapshot.time, conditions };
  return [{ adapter, createdTime: 0, verdict }];
}

function resultOf(condition: ResourceCondition | undefined): TableResult | undefined {
  if (condition === undefined) return undefined;
  const { status, observedGeneration, reason = "", lastUpdatedTime, lastTransitionTime } = condition;
  return { status, observedGeneration, reason, lastUpdatedTime, lastTransitionTime };
}
