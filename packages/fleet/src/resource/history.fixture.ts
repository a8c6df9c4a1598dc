import fc from "fast-check";
import { conditionStatusIn } from "./report/adapter-status.ts";
import { testKind, OneResource } from "./fleet.fixture.ts";
import { availableByTable, readyByTable } from "./truth-table.fixture.ts";
import type { Snapshot, TableResult } from "./truth-table.fixture.ts";

/** An event of a resource, some time after the previous one. */
export type HistoryEvent =
  | {
      readonly kind: "report";
      readonly adapter: number;
      /** Number of generations behind the current one; -1 is a future generation. */
      readonly behind: number;
      readonly available: "True" | "False" | "Unknown";
      readonly finalized: boolean;
      readonly skew: number;
    }
  | { readonly kind: "patch" }
  | { readonly kind: "delete" }
  | { readonly kind: "children"; readonly count: number };

/** Random histories: mostly reports, occasionally a change. */
export const histories: fc.Arbitrary<readonly HistoryEvent[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        adapter: fc.nat(2),
        behind: fc.oneof(
          { weight: 6, arbitrary: fc.constant(0) },
          { weight: 3, arbitrary: fc.integer({ min: -1, max: 2 }) },
        ),
        available: fc.oneof(
          { weight: 5, arbitrary: fc.constant("True" as const) },
          { weight: 2, arbitrary: fc.constant("False" as const) },
          { weight: 1, arbitrary: fc.constant("Unknown" as const) },
        ),
        finalized: fc.boolean(),
        skew: fc.nat(3),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: "patch" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("children" as const), count: fc.nat(1) }) },
  ),
  { minLength: 1, maxLength: 16 },
);

/** Kinds with one, two and three required adapters. */
export const KINDS = [["a"], ["a", "b"], ["a", "b", "c"]].map((required) => testKind({ required_adapters: required }));

/**
 * Replays a history and compares the expressions with the tables after every event. Returns the first difference, or
 * undefined.
 */
export function firstDifference(events: readonly HistoryEvent[], kind: (typeof KINDS)[number]): string | undefined {
  const one = new OneResource(kind);
  let ready: TableResult | undefined;
  let available: TableResult | undefined;
  let now = 0;
  const compare = (causeTime: number): string | undefined => {
    const input = {
      snapshots: snapshotsOf(one),
      generation: one.resource.generation,
      deleting: one.resource.deletion !== undefined,
      children: one.children,
      updatedTime: one.resource.updatedTime,
      causeTime,
    };
    ready = readyByTable(input, ready);
    available = availableByTable(input, available);
    return (
      differs(one, ["Ready", "Reconciled"], ready) ?? differs(one, ["Available", "LastKnownReconciled"], available)
    );
  };
  const first = compare(now);
  if (first !== undefined) return first;
  for (const event of events) {
    now += 10;
    const cause = applyEvent(one, event, now);
    const difference = cause === undefined ? unchanged(one, ready, available) : compare(cause);
    if (difference !== undefined) return difference;
    if (one.isGone) return ready?.status === "True" ? undefined : "gone without being Ready";
  }
  return undefined;
}

/** Returns the time of the cause; undefined if no condition may change. */
function applyEvent(one: OneResource, event: HistoryEvent, now: number): number | undefined {
  const isDeleting = one.resource.deletion !== undefined;
  switch (event.kind) {
    case "report": {
      const generation = Math.max(1, one.resource.generation - event.behind);
      const time = now - event.skew * 7;
      const adapter = "abc".charAt(event.adapter);
      const finalized = event.finalized ? "True" : "False";
      const intake = one.report({ adapter, available: event.available, generation, time, finalized });
      return intake.kind === "verdict" ? time : undefined;
    }
    case "patch":
      one.patch(now);
      return isDeleting ? undefined : now;
    case "delete":
      one.delete(now);
      return isDeleting ? undefined : now;
    case "children":
      one.children = event.count;
      one.settle(now);
      return now;
    default:
      return event satisfies never;
  }
}

function snapshotsOf({ kind, statuses }: OneResource): readonly (Snapshot | undefined)[] {
  return kind.requiredAdapters.map((adapter) => {
    const verdict = statuses.get(adapter)?.verdict;
    if (verdict === undefined) return undefined;
    return {
      available: conditionStatusIn(verdict, "Available") === "True",
      finalized: conditionStatusIn(verdict, "Finalized") === "True",
      generation: verdict.observedGeneration,
      time: verdict.observedTime,
    };
  });
}

function unchanged(one: OneResource, ready?: TableResult, available?: TableResult): string | undefined {
  return differs(one, ["Ready", "Reconciled"], ready) ?? differs(one, ["Available", "LastKnownReconciled"], available);
}

function differs(one: OneResource, types: readonly string[], expected: TableResult | undefined): string | undefined {
  if (expected === undefined) return "there is nothing to compare with";
  const { status, observedGeneration, lastUpdatedTime, lastTransitionTime, reason } = expected;
  const text = `${status.charAt(0)}@${observedGeneration} lu${lastUpdatedTime} lt${lastTransitionTime} ${reason}`;
  const wrong = types.find((type) => one.shown(type) !== text);
  return wrong === undefined ? undefined : `${wrong}: ${one.shown(wrong)}, but by the table ${text}`;
}
