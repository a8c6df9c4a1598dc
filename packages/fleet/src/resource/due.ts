import { compareGenerations } from "@levelset/core/internal";
import { conditionStatusIn } from "./report/adapter-status.ts";
import type { AdapterStatus } from "./report/adapter-status.ts";
import { flappingDelayMs } from "./report/flapping.ts";
import { ROLL_UP_TYPES } from "./kind/kind.ts";
import type { FleetKind } from "./kind/kind.ts";
import { findResourceCondition, isResourceDeleting } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { unfinalizedAdapters } from "./evaluate-resource.ts";

/** Maximum age of the last report of an adapter. */
export interface RefreshTtl {
  readonly readyMs: number;
  readonly notReadyMs: number;
}

/** Ten seconds until a resource is Ready, half an hour afterwards. */
export const DEFAULT_TTL: RefreshTtl = { readyMs: 30 * 60_000, notReadyMs: 10_000 };

/** Inputs of the deadlines. */
export interface DueInput {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
  /** Time of the last pulse for this resource; undefined if none was sent. */
  readonly pulsedTime: number | undefined;
  readonly now: number;
  readonly ttl: RefreshTtl;
}

/** When one adapter is pulsed again. */
export interface AdapterDeadline {
  readonly adapter: string;
  readonly time: number;
  /**
   * Whether the deadline is early because the adapter flaps: the other adapters have not been notified of its latest
   * verdict yet.
   */
  readonly isFlapping?: true;
}

/**
 * Returns the deadlines of the required adapters, earliest first. An adapter is active by a verdict or progress at the
 * current generation, or by the change of the generation, which is pulsed at once. It is pulsed again one TTL after
 * its last activity, and while it does not report, after each short TTL. The long TTL applies to an adapter that has
 * finalized a deletion. A flapping adapter is pulsed after its delay, when its latest verdict is announced, until it
 * is stable. An adapter that could not determine the state (Health False, Available Unknown) is pulsed after the short
 * TTL. A kind without required adapters has no deadlines.
 */
export function adapterDeadlines({
  kind,
  resource,
  statuses,
  pulsedTime,
  now,
  ttl,
}: DueInput): readonly AdapterDeadline[] {
  const isReady = findResourceCondition(resource.conditions, ROLL_UP_TYPES.ready.type)?.status === "True";
  const open = isResourceDeleting(resource) ? unfinalizedAdapters(kind, resource, statuses) : kind.requiredAdapters;
  return kind.requiredAdapters
    .map((adapter) => {
      const status = statuses.find((known) => known.adapter === adapter);
      const sign = lastSign(status, resource);
      // A clock that is ahead must not delay the next pulse.
      const since = Math.max(resource.updatedTime, Math.min(sign ?? 0, now));
      const isDone = (isReady || !open.includes(adapter)) && isEvaluated(status, resource);
      const ttlMs = isDone ? ttl.readyMs : ttl.notReadyMs;
      const isCurrent = compareGenerations(status?.verdict?.observedGeneration, resource.generation) === "current";
      const delayMs = isCurrent ? flappingDelayMs(status?.flips, ttl.notReadyMs) : undefined;
      // The delay starts at the intake: observed times may be wrong or rounded to seconds.
      const time = delayMs === undefined ? since + ttlMs : Math.max(since, status?.flips?.latestTime ?? 0) + delayMs;
      const isUnanswered = pulsedTime !== undefined && pulsedTime >= time;
      const isFlapping = delayMs === undefined ? {} : { isFlapping: true as const };
      return { adapter, time: isUnanswered ? pulsedTime + ttl.notReadyMs : time, ...isFlapping };
    })
    .toSorted((a, b) => a.time - b.time);
}

/** Returns whether the latest report of an adapter for this generation is anything but progress with Health False. */
function isEvaluated(status: AdapterStatus | undefined, { generation }: Resource): boolean {
  const { verdict, progress } = status ?? {};
  if (progress?.observedGeneration !== generation || conditionStatusIn(progress, "Health") !== "False") return true;
  return verdict?.observedGeneration === generation && verdict.observedTime >= progress.observedTime;
}

/** Returns when an adapter last reported on the current generation, with a verdict or progress. */
function lastSign(status: AdapterStatus | undefined, { generation }: Resource): number | undefined {
  const times = [status?.verdict, status?.progress].flatMap((report) => {
    return report?.observedGeneration === generation ? [report.observedTime] : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Returns when a resource is due next; undefined if only a change can make it due. */
export function dueTime(input: DueInput): number | undefined {
  return adapterDeadlines(input)[0]?.time;
}

/** Returns the deadlines that have passed. A deadline equal to now has not passed. */
export function passedDeadlines(input: DueInput): readonly AdapterDeadline[] {
  return adapterDeadlines(input).filter(({ time }) => input.now > time);
}

/** Returns the adapters whose deadline has passed. */
export function dueAdapters(input: DueInput): readonly string[] {
  return passedDeadlines(input).map(({ adapter }) => adapter);
}
