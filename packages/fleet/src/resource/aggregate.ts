/**
 * Derives the conditions of a resource from adapter reports: a pure function of the declaration, the reports and the
 * previous conditions.
 *
 * Expressions decide the conditions (`roll-up`). This file provides the input data and adds the times:
 *
 * - `lastUpdatedTime` is the age of the evidence: the oldest report that the status relies on. It determines when a
 *   refresh is due.
 * - `lastTransitionTime` is the time of the cause that changed the status: the observed time of the report, or the
 *   time of the change.
 */
import type { CelBindings } from "@levelset/core/cel";
import { conditionStatusIn } from "./report/adapter-status.ts";
import type { AdapterStatus, StoredReport } from "./report/adapter-status.ts";
import { allConditions } from "./condition-alias.ts";
import { customContext, evaluateCustom } from "./rule/custom-condition.ts";
import type { CustomConditionUpdate } from "./rule/custom-condition.ts";
import { FLAPPING_TYPE, isFlapping } from "./report/flapping.ts";
import { adapterConditionType, ROLL_UP_TYPES } from "./kind/kind.ts";
import type { FleetKind } from "./kind/kind.ts";
import { findResourceCondition, isResourceDeleting } from "./resource.ts";
import type { Resource, ResourceCondition } from "./resource.ts";
import type { RollUp, RollUpItem, RollUpSelf } from "./rule/roll-up.ts";
import { resourceJson } from "./resource-json.ts";

/** Input of {@link aggregate}. */
export interface AggregateInput {
  readonly kind: FleetKind;
  /** The current resource, with its previous conditions. */
  readonly resource: Resource;
  /** Reports of its adapters, including non-required ones. */
  readonly statuses: readonly AdapterStatus[];
  /** Number of its children. */
  readonly children: number;
  /** Time of the cause of this evaluation: a report's observed time, or the time of a change. */
  readonly causeTime: number;
  /** Current time; default `causeTime`. Flapping is evaluated by it, so that wrong adapter clocks do not matter. */
  readonly now?: number;
}

/** A required adapter and its verdict. */
interface Required {
  readonly adapter: string;
  readonly verdict: StoredReport | undefined;
}

/** Returns the conditions of a resource. Throws a RuleError if an expression of the kind fails. */
export function aggregate(input: AggregateInput): readonly ResourceCondition[] {
  const required = requiredOf(input);
  const rollUps = required.length === 0 ? [] : rollUpConditions(input, required);
  const flapping = required.length === 0 ? [] : flappingConditions(input);
  return allConditions([...rollUps, ...adapterConditions(input, required), ...flapping, ...customConditions(input)]);
}

function requiredOf({ kind, resource, statuses }: AggregateInput): readonly Required[] {
  const byAdapter = new Map(statuses.map((status) => [status.adapter, status.verdict]));
  return kind.requiredAdapters.map((adapter) => {
    const verdict = byAdapter.get(adapter);
    const isOfFuture = verdict !== undefined && verdict.observedGeneration > resource.generation;
    return { adapter, verdict: isOfFuture ? undefined : verdict };
  });
}

/** Ready and Available, under the stored names. */
function rollUpConditions(input: AggregateInput, required: readonly Required[]): readonly ResourceCondition[] {
  const { kind, resource } = input;
  const { ready, available } = ROLL_UP_TYPES;
  const items = required.map(itemOf);
  const availableBefore = findResourceCondition(resource.conditions, available.alias);
  const readyBefore = findResourceCondition(resource.conditions, ready.alias);
  const isAvailable = evaluate(kind.rollUps.available, selfOf(input, items, availableBefore), {});
  const isReady = evaluate(kind.rollUps.ready, selfOf(input, items, readyBefore), {
    available: isAvailable.status === "True",
  });
  const readyAge = oldestAt(required, resource.generation) ?? resource.updatedTime;
  const availableAge =
    availableEvidence(isAvailable, required) ?? availableBefore?.lastUpdatedTime ?? resource.updatedTime;
  return [
    dated(input, ready.alias, isReady, readyBefore, readyAge),
    dated(input, available.alias, isAvailable, availableBefore, availableAge),
  ];
}

function itemOf({ adapter, verdict }: Required): RollUpItem {
  if (verdict === undefined) return { adapter, observed_generation: 0, conditions: [] };
  const conditions = verdict.conditions.map(({ type, status, reason = "", message = "" }) => {
    return { type, status, reason, message };
  });
  return { adapter, observed_generation: verdict.observedGeneration, conditions };
}

function selfOf(
  { resource, children }: AggregateInput,
  items: readonly RollUpItem[],
  before: ResourceCondition | undefined,
): RollUpSelf {
  return {
    items,
    generation: resource.generation,
    previous: {
      status: before?.status ?? "",
      observed_generation: before?.observedGeneration ?? 0,
      reason: before?.reason ?? "",
    },
    deleting: isResourceDeleting(resource),
    children,
  };
}

type RollUpResult = Pick<ResourceCondition, "status" | "reason" | "message" | "observedGeneration">;

function evaluate(rollUp: RollUp, self: RollUpSelf, more: Readonly<Record<string, boolean>>): RollUpResult {
  const bindings: CelBindings = { ...more, self, generationN: self.generation };
  const status = rollUp.status.bool(bindings);
  const after: CelBindings = { ...bindings, status };
  return {
    status: status ? "True" : "False",
    reason: rollUp.reason.text(after),
    message: rollUp.message.text(after),
    observedGeneration: rollUp.observedGeneration.generation(after),
  };
}

/** Returns the oldest observed time of the verdicts at a generation. */
function oldestAt(required: readonly Required[], generation: number): number | undefined {
  const times = required.flatMap(({ verdict }) => {
    return verdict?.observedGeneration === generation ? [verdict.observedTime] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Returns the evidence of Available: all verdicts, if they are True at its generation; or, once it is False, those at
 * its generation if one of them failed. Otherwise the previous evidence stands.
 */
function availableEvidence(
  { status, observedGeneration }: RollUpResult,
  required: readonly Required[],
): number | undefined {
  const isAt = (verdict: StoredReport | undefined, available: string): boolean =>
    verdict?.observedGeneration === observedGeneration && conditionStatusIn(verdict, "Available") === available;
  const isFresh =
    status === "True"
      ? required.every(({ verdict }) => isAt(verdict, "True"))
      : required.every(({ verdict }) => verdict !== undefined) &&
        required.some(({ verdict }) => isAt(verdict, "False"));
  return isFresh ? oldestAt(required, observedGeneration) : undefined;
}

function dated(
  { resource, causeTime }: AggregateInput,
  type: string,
  result: RollUpResult,
  before: ResourceCondition | undefined,
  lastUpdatedTime: number,
): ResourceCondition {
  const isSame = before !== undefined && before.status === result.status;
  return {
    type,
    ...result,
    createdTime: before?.createdTime ?? resource.updatedTime,
    lastUpdatedTime,
    lastTransitionTime: isSame ? before.lastTransitionTime : causeTime,
  };
}

/** Mirrors the verdict of each required adapter as a condition of the resource. */
function adapterConditions({ resource }: AggregateInput, required: readonly Required[]): readonly ResourceCondition[] {
  return required.flatMap(({ adapter, verdict }): readonly ResourceCondition[] => {
    const available = verdict?.conditions.find(({ type }) => type === "Available");
    if (verdict === undefined || available === undefined || available.status === "Unknown") return [];
    const type = adapterConditionType(adapter);
    return [
      {
        type,
        status: available.status,
        ...(available.reason === undefined ? {} : { reason: available.reason }),
        ...(available.message === undefined ? {} : { message: available.message }),
        observedGeneration: verdict.observedGeneration,
        createdTime: findResourceCondition(resource.conditions, type)?.createdTime ?? verdict.observedTime,
        lastUpdatedTime: verdict.observedTime,
        lastTransitionTime: available.lastTransitionTime,
      },
    ];
  });
}

/** Names the flapping adapters, if any. A kind that defines a condition of that type itself keeps its own. */
function flappingConditions(input: AggregateInput): readonly ResourceCondition[] {
  const { kind, resource, statuses, causeTime, now = causeTime } = input;
  const flapping = statuses
    .flatMap(({ adapter, verdict, flips }) => {
      return isFlapping(flips, now) && verdict?.observedGeneration === resource.generation ? [{ adapter, flips }] : [];
    })
    .toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1));
  if (flapping.length === 0 || kind.conditions.some(({ type }) => type === FLAPPING_TYPE)) return [];
  const changes = flapping.map(({ adapter, flips: { count, sinceTime, latestTime } }) => {
    return `${adapter} changed its verdict ${count} times in ${Math.ceil((latestTime - sinceTime) / 1_000)} s`;
  });
  const result: RollUpResult = {
    status: "True",
    reason: "AdapterFlapping",
    message: `${changes.join(", ")}; pulses are delayed until the verdict is stable`,
    observedGeneration: resource.generation,
  };
  const before = findResourceCondition(resource.conditions, FLAPPING_TYPE);
  return [dated(input, FLAPPING_TYPE, result, before, Math.max(...flapping.map(({ flips }) => flips.latestTime)))];
}

function customConditions(input: AggregateInput): readonly ResourceCondition[] {
  const { kind, resource, statuses } = input;
  if (kind.conditions.length === 0) return [];
  const context = customContext(resourceJson(resource), statuses);
  return evaluateCustom(kind.conditions, context).map((result) => customCondition(input, result));
}

/** The evidence of a custom rule is unknown: its condition is as old as its last change. */
function customCondition(input: AggregateInput, { type, ...update }: CustomConditionUpdate): ResourceCondition {
  const before = findResourceCondition(input.resource.conditions, type);
  const result = { ...update, observedGeneration: input.resource.generation };
  const isSame =
    before !== undefined &&
    before.status === result.status &&
    before.reason === result.reason &&
    before.message === result.message &&
    before.observedGeneration === result.observedGeneration;
  return isSame ? before : dated(input, type, result, before, input.causeTime);
}
