import { deadlines, passedDeadlines, resourceJson } from "../resource/index.ts";
import type { FleetKind, RefreshTtl, Resource } from "../resource/index.ts";
import { spread, spreadTtl } from "../service/index.ts";
import type { Claim } from "../store/index.ts";
import type { Verdict } from "./decision.ts";
import { isSelected } from "./pulse-rule.ts";
import type { PulseRule } from "./pulse-rule.ts";
import { FAR_MS } from "./refresh-ttl.ts";
import type { Subject } from "./subject.ts";

/** What is due sooner is not put off. */
const SPREAD_FROM_MS = 60_000;

/** Why a resource is not pulsed. */
export const IS_FALSE = "message decision result is false";
/** Why a resource is not pulsed although its decision was asked. */
export const HAS_FAILED = "message decision failed";
/** Why a resource is not pulsed although one of its reports is old: its adapter has just been asked. */
const IS_AWAITED = "an answer is awaited";

/** A message to send. */
export interface Pulse {
  readonly id: string;
  readonly kind: string;
  readonly rule: PulseRule;
  readonly subject: Subject;
  readonly dueAdapters: readonly string[];
}

/** A message that is not sent. */
export interface Skip {
  readonly rule: PulseRule;
  readonly reason: typeof IS_FALSE | typeof HAS_FAILED | typeof IS_AWAITED;
  /** What went wrong. */
  readonly problem?: string;
}

/** What to do with a claim, and when to look again. */
export interface Judgement {
  readonly pulses: readonly Pulse[];
  readonly skips: readonly Skip[];
  /** The adapters whose flapping made it due. */
  readonly flapping: readonly string[];
  readonly lookTime: number;
}

/** What a judgement is made of. */
export interface JudgementInput {
  readonly claim: Pick<Claim, "stored" | "cause" | "pulsedTime">;
  readonly kind: FleetKind;
  /** The rules of this kind. */
  readonly rules: readonly PulseRule[];
  readonly ttl: RefreshTtl;
  readonly now: number;
}

/**
 * Decides about a resource whose time has come. What is urgent is pulsed whatever the decisions say; they govern refreshes. An unanswered pulse is
 * repeated, and where nothing was pulsed, the next look is when a decision will be true.
 */
export function judge({ claim, kind, rules, ttl, now }: JudgementInput): Judgement {
  const { resource, statuses } = claim.stored;
  const subject: Subject = { resource: resourceJson(resource), now };
  const input = { kind, resource, statuses, now, ttl: spreadTtl(resource, ttl) };
  const asked = rules.filter((rule) => isSelected(rule, resource.labels));
  const passed = passedDeadlines({ ...input, pulsedTime: claim.pulsedTime });
  const flapping = passed.filter(({ isFlapping }) => isFlapping).map(({ adapter }) => adapter);
  // The delayed pulse for a verdict that flaps goes to all, as an undelayed one does.
  const isRefresh = claim.cause === "refresh" && flapping.length === 0;
  const due = isRefresh ? passed.map(({ adapter }) => adapter) : kind.requiredAdapters;
  const [deadline] = deadlines({ ...input, pulsedTime: claim.pulsedTime });
  if (isRefresh && due.length === 0 && deadline !== undefined) {
    const skips = asked.map((rule) => ({ rule, reason: IS_AWAITED }) as const);
    return { pulses: [], skips, flapping, lookTime: deadline.time + 1 };
  }
  const pulses: Pulse[] = [];
  const skips: Skip[] = [];
  const lookTimes: number[] = [];
  for (const rule of asked) {
    const verdict: Verdict = isRefresh ? rule.decision.decide(subject) : { kind: "pulse" };
    if (verdict.kind === "pulse")
      pulses.push({ id: resource.id, kind: resource.kind, rule, subject, dueAdapters: due });
    else if (verdict.kind === "failed") skips.push({ rule, reason: HAS_FAILED, problem: verdict.reason });
    else skips.push({ rule, reason: IS_FALSE });
    if (verdict.kind !== "pulse") lookTimes.push(nextLook(rule, subject, resource));
  }
  if (pulses.length > 0) lookTimes.push(...deadlines({ ...input, pulsedTime: now }).map(({ time }) => time + 1));
  return { pulses, skips, flapping, lookTime: Math.max(now + 1, Math.min(...lookTimes, now + FAR_MS)) };
}

function nextLook({ decision, pollIntervalMs }: PulseRule, subject: Subject, resource: Resource): number {
  const next = decision.next(subject);
  switch (next.kind) {
    case "at": {
      const delayMs = next.time - subject.now;
      return subject.now + (delayMs < SPREAD_FROM_MS ? delayMs : spread(resource, delayMs));
    }
    case "never":
      return subject.now + FAR_MS;
    case "unknown":
      return subject.now + pollIntervalMs;
    default:
      return next satisfies never;
  }
}
