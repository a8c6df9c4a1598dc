/**
 * From reports of adapters to conditions of a resource: a pure function of what is declared, what is reported, and what was said before.
 *
 * What the conditions say is decided by expressions (`roll-up`); this file gives them their data and adds the times:
 *
 * - `lastUpdatedTime` is the age of the evidence, the oldest report that the status relies on. A refresh is due by it.
 * - `lastTransitionTime` is the time of the cause that changed the status: the observed time of the report, or the time of the change.
 */
import type { CelBindings } from "@levelset/core";
import { statusIn } from "./adapter-status.ts";
import type { AdapterStatus, KeptReport } from "./adapter-status.ts";
import { allConditions } from "./alias.ts";
import { customContext, evaluateCustom } from "./custom-condition.ts";
import type { CustomFinding } from "./custom-condition.ts";
import { FLAPPING_TYPE, isFlapping } from "./flapping.ts";
import { adapterConditionType, ROLL_UP_TYPES } from "./kind.ts";
import type { FleetKind } from "./kind.ts";
import { conditionOf, isDeleting } from "./resource.ts";
import type { Resource, ResourceCondition } from "./resource.ts";
import type { RollUp, RollUpItem, RollUpSelf } from "./roll-up.ts";
import { resourceJson } from "./wire.ts";

/** What conditions are made of. */
export interface AggregateInput {
  readonly kind: FleetKind;
  /** The resource as it is declared now, still with the conditions from before. */
  readonly resource: Resource;
  /** What its adapters have reported, those that are not required among them. */
  readonly statuses: readonly AdapterStatus[];
  /** How many children it has. */
  readonly children: number;
  /** When that happened for which the conditions are looked at again: a report's observed time, or the time of a change. */
  readonly causeTime: number;
  /** When it is looked at; `causeTime` unless given. Adapters whose clock is wrong still count as flapping by it. */
  readonly now?: number;
}

/** A required adapter and its verdict. */
interface Required {
  readonly adapter: string;
  readonly verdict: KeptReport | undefined;
}

/** The conditions of a resource. Throws a RuleError if an expression of the kind fails. */
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

/** Ready and Available, under the names by which they are kept. */
function rollUpConditions(input: AggregateInput, required: readonly Required[]): readonly ResourceCondition[] {
  const { kind, resource } = input;
  const { ready, available } = ROLL_UP_TYPES;
  const items = required.map(itemOf);
  const availableBefore = conditionOf(resource.conditions, available.alias);
  const readyBefore = conditionOf(resource.conditions, ready.alias);
  const isAvailable = judge(kind.rollUps.available, selfOf(input, items, availableBefore), {});
  const isReady = judge(kind.rollUps.ready, selfOf(input, items, readyBefore), {
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
    deleting: isDeleting(resource),
    children,
  };
}

type Finding = Pick<ResourceCondition, "status" | "reason" | "message" | "observedGeneration">;

function judge(rollUp: RollUp, self: RollUpSelf, more: Readonly<Record<string, boolean>>): Finding {
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

/** The oldest observed time of the verdicts at a generation. */
function oldestAt(required: readonly Required[], generation: number): number | undefined {
  const times = required.flatMap(({ verdict }) => {
    return verdict?.observedGeneration === generation ? [verdict.observedTime] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * What Available relies on now: all verdicts, if they are True at its generation; or, once it is False, those at its generation if one
 * of them failed. Otherwise it still relies on what it relied on before.
 */
function availableEvidence({ status, observedGeneration }: Finding, required: readonly Required[]): number | undefined {
  const isAt = (verdict: KeptReport | undefined, available: string): boolean =>
    verdict?.observedGeneration === observedGeneration && statusIn(verdict, "Available") === available;
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
  finding: Finding,
  before: ResourceCondition | undefined,
  lastUpdatedTime: number,
): ResourceCondition {
  const isSame = before !== undefined && before.status === finding.status;
  return {
    type,
    ...finding,
    createdTime: before?.createdTime ?? resource.updatedTime,
    lastUpdatedTime,
    lastTransitionTime: isSame ? before.lastTransitionTime : causeTime,
  };
}

/** What each required adapter says, for those who do not read statuses. */
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
        createdTime: conditionOf(resource.conditions, type)?.createdTime ?? verdict.observedTime,
        lastUpdatedTime: verdict.observedTime,
        lastTransitionTime: available.lastTransitionTime,
      },
    ];
  });
}

/** Names the adapters that flap, while there are any. A kind that defines a condition of that type itself keeps its own. */
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
  const finding: Finding = {
    status: "True",
    reason: "AdapterFlapping",
    message: `${changes.join(", ")}; its pulses are delayed until it is steady`,
    observedGeneration: resource.generation,
  };
  const before = conditionOf(resource.conditions, FLAPPING_TYPE);
  return [dated(input, FLAPPING_TYPE, finding, before, Math.max(...flapping.map(({ flips }) => flips.latestTime)))];
}

function customConditions(input: AggregateInput): readonly ResourceCondition[] {
  const { kind, resource, statuses } = input;
  if (kind.conditions.length === 0) return [];
  const context = customContext(resourceJson(resource), statuses);
  return evaluateCustom(kind.conditions, context).map((finding) => customCondition(input, finding));
}

/** Nobody knows which reports a rule relies on: its condition is as old as what it says. */
function customCondition(input: AggregateInput, { type, ...said }: CustomFinding): ResourceCondition {
  const before = conditionOf(input.resource.conditions, type);
  const finding = { ...said, observedGeneration: input.resource.generation };
  const isSame =
    before !== undefined &&
    before.status === finding.status &&
    before.reason === finding.reason &&
    before.message === finding.message &&
    before.observedGeneration === finding.observedGeneration;
  return isSame ? before : dated(input, type, finding, before, input.causeTime);
}
