import { compareGenerations } from "@levelset/core";
import { statusIn } from "./adapter-status.ts";
import type { AdapterStatus } from "./adapter-status.ts";
import { flappingDelayMs } from "./flapping.ts";
import { ROLL_UP_TYPES } from "./kind.ts";
import type { FleetKind } from "./kind.ts";
import { conditionOf, isDeleting } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { unfinished } from "./settle.ts";

/** How old the last sign of an adapter may be. */
export interface RefreshTtl {
  readonly readyMs: number;
  readonly notReadyMs: number;
}

/** Ten seconds until a resource is ready, half an hour from then on. */
export const DEFAULT_TTL: RefreshTtl = { readyMs: 30 * 60_000, notReadyMs: 10_000 };

/** What deadlines are made of. */
export interface DueInput {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
  /** When a message was last sent for this resource; undefined if never. */
  readonly pulsedTime: number | undefined;
  readonly now: number;
  readonly ttl: RefreshTtl;
}

/** When one adapter is to be asked again. */
export interface Deadline {
  readonly adapter: string;
  readonly time: number;
  /** Whether it is so early because the adapter flaps: the other adapters have not been notified of its latest verdict yet. */
  readonly isFlapping?: true;
}

/**
 * The deadlines of the required adapters, the earliest first. A sign of life is a verdict or progress at the current generation, or the change
 * that made the generation, which is announced at once by itself. One TTL after the last sign the adapter is asked again, and if it does not answer, again
 * after each short TTL. An adapter that has finalized a deletion has nothing left to do but wait, so the long one holds for it. One that flaps is
 * asked again after its delay, which is when its latest verdict is announced, until it is steady.
 * One whose latest report says that it could not judge (Health False, Available Unknown) is asked again after the short TTL.
 * A kind without required adapters has none.
 */
export function deadlines({ kind, resource, statuses, pulsedTime, now, ttl }: DueInput): readonly Deadline[] {
  const isReady = conditionOf(resource.conditions, ROLL_UP_TYPES.ready.type)?.status === "True";
  const open = isDeleting(resource) ? unfinished(kind, resource, statuses) : kind.requiredAdapters;
  return kind.requiredAdapters
    .map((adapter) => {
      const status = statuses.find((known) => known.adapter === adapter);
      const sign = lastSign(status, resource);
      // A clock that is ahead must not put off the next look.
      const since = Math.max(resource.updatedTime, Math.min(sign ?? 0, now));
      const isDone = (isReady || !open.includes(adapter)) && isJudged(status, resource);
      const ttlMs = isDone ? ttl.readyMs : ttl.notReadyMs;
      const isCurrent = compareGenerations(status?.verdict?.observedGeneration, resource.generation) === "current";
      const delayMs = isCurrent ? flappingDelayMs(status?.flips, ttl.notReadyMs) : undefined;
      // The delay counts from when the change came in: times that adapters report may be wrong, or whole seconds.
      const time = delayMs === undefined ? since + ttlMs : Math.max(since, status?.flips?.latestTime ?? 0) + delayMs;
      const isUnanswered = pulsedTime !== undefined && pulsedTime >= time;
      const isFlapping = delayMs === undefined ? {} : { isFlapping: true as const };
      return { adapter, time: isUnanswered ? pulsedTime + ttl.notReadyMs : time, ...isFlapping };
    })
    .toSorted((a, b) => a.time - b.time);
}

/** Whether the latest report of an adapter on this generation is no progress with Health False. */
function isJudged(status: AdapterStatus | undefined, { generation }: Resource): boolean {
  const { verdict, progress } = status ?? {};
  if (progress?.observedGeneration !== generation || statusIn(progress, "Health") !== "False") return true;
  return verdict?.observedGeneration === generation && verdict.observedTime >= progress.observedTime;
}

/** When an adapter last reported on the current generation, be it a verdict or progress. */
function lastSign(status: AdapterStatus | undefined, { generation }: Resource): number | undefined {
  const times = [status?.verdict, status?.progress].flatMap((report) => {
    return report?.observedGeneration === generation ? [report.observedTime] : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** When a resource is to be looked at next; undefined if only a change can make it due. */
export function dueTime(input: DueInput): number | undefined {
  return deadlines(input)[0]?.time;
}

/** The deadlines that have passed. At the very moment one has not. */
export function passedDeadlines(input: DueInput): readonly Deadline[] {
  return deadlines(input).filter(({ time }) => input.now > time);
}

/** The adapters whose deadline has passed. */
export function dueAdapters(input: DueInput): readonly string[] {
  return passedDeadlines(input).map(({ adapter }) => adapter);
}
