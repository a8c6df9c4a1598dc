import { adapterDeadlines, passedDeadlines, resourceJson } from "../../resource/index.ts";
import type { FleetKind, RefreshTtl, Resource } from "../../resource/index.ts";
import { stableJitter, stableJitterTtl } from "../../service/index.ts";
import type { Claim } from "../../store/index.ts";
import type { DecisionResult } from "./pulse-decision.ts";
import { matchesRuleSelector } from "./pulse-rule.ts";
import type { PulseRule } from "./pulse-rule.ts";
import { FALLBACK_CHECK_MS } from "./refresh-ttl.ts";
import type { PulseSubject } from "./pulse-subject.ts";

/** Checks that are due sooner are not spread. */
const SPREAD_FROM_MS = 60_000;

/** Skip reason: the decision is false. */
export const DECISION_FALSE = "message decision result is false";
/** Skip reason: the decision failed. */
export const DECISION_FAILED = "message decision failed";
/** Skip reason: a report is old, but its adapter was pulsed recently. */
const REPORT_AWAITED = "an answer is awaited";

/** A pulse to send. */
export interface OutboundPulse {
  readonly id: string;
  readonly kind: string;
  readonly rule: PulseRule;
  readonly subject: PulseSubject;
  readonly dueAdapters: readonly string[];
}

/** A pulse that is not sent. */
export interface SkippedPulse {
  readonly rule: PulseRule;
  readonly reason: typeof DECISION_FALSE | typeof DECISION_FAILED | typeof REPORT_AWAITED;
  /** Error message, if the decision failed. */
  readonly problem?: string;
}

/** What to do with a claim, and when to check again. */
export interface ClaimPlan {
  readonly pulses: readonly OutboundPulse[];
  readonly skips: readonly SkippedPulse[];
  /** Names of the flapping adapters that made the resource due. */
  readonly flapping: readonly string[];
  readonly nextCheckTime: number;
}

/** Inputs of {@link planClaim}. */
export interface ClaimPlanInput {
  readonly claim: Pick<Claim, "resource" | "cause" | "pulsedTime">;
  readonly kind: FleetKind;
  /** Rules of this kind. */
  readonly rules: readonly PulseRule[];
  readonly ttl: RefreshTtl;
  readonly now: number;
}

/**
 * Plans the pulses of a due resource. Urgent pulses are sent whatever the decisions; decisions govern refreshes only.
 * An unanswered pulse is repeated. Without a pulse, the next check is when a decision becomes true.
 */
export function planClaim({ claim, kind, rules, ttl, now }: ClaimPlanInput): ClaimPlan {
  const { resource, statuses } = claim.resource;
  const subject: PulseSubject = { resource: resourceJson(resource), now };
  const input = { kind, resource, statuses, now, ttl: stableJitterTtl(resource, ttl) };
  const matching = rules.filter((rule) => matchesRuleSelector(rule, resource.labels));
  const passed = passedDeadlines({ ...input, pulsedTime: claim.pulsedTime });
  const flapping = passed.filter(({ isFlapping }) => isFlapping).map(({ adapter }) => adapter);
  // The delayed pulse for a flapping verdict goes to all adapters, like an undelayed one.
  const isRefresh = claim.cause === "refresh" && flapping.length === 0;
  const due = isRefresh ? passed.map(({ adapter }) => adapter) : kind.requiredAdapters;
  const [deadline] = adapterDeadlines({ ...input, pulsedTime: claim.pulsedTime });
  if (isRefresh && due.length === 0 && deadline !== undefined) {
    const skips = matching.map((rule) => ({ rule, reason: REPORT_AWAITED }) as const);
    return { pulses: [], skips, flapping, nextCheckTime: deadline.time + 1 };
  }
  const pulses: OutboundPulse[] = [];
  const skips: SkippedPulse[] = [];
  const checkTimes: number[] = [];
  for (const rule of matching) {
    const verdict: DecisionResult = isRefresh ? rule.decision.decide(subject) : { kind: "pulse" };
    if (verdict.kind === "pulse")
      pulses.push({ id: resource.id, kind: resource.kind, rule, subject, dueAdapters: due });
    else if (verdict.kind === "failed") skips.push({ rule, reason: DECISION_FAILED, problem: verdict.reason });
    else skips.push({ rule, reason: DECISION_FALSE });
    if (verdict.kind !== "pulse") checkTimes.push(nextCheck(rule, subject, resource));
  }
  if (pulses.length > 0)
    checkTimes.push(...adapterDeadlines({ ...input, pulsedTime: now }).map(({ time }) => time + 1));
  return {
    pulses,
    skips,
    flapping,
    nextCheckTime: Math.max(now + 1, Math.min(...checkTimes, now + FALLBACK_CHECK_MS)),
  };
}

function nextCheck({ decision, pollIntervalMs }: PulseRule, subject: PulseSubject, resource: Resource): number {
  const next = decision.next(subject);
  switch (next.kind) {
    case "at": {
      const delayMs = next.time - subject.now;
      return subject.now + (delayMs < SPREAD_FROM_MS ? delayMs : stableJitter(resource, delayMs));
    }
    case "never":
      return subject.now + FALLBACK_CHECK_MS;
    case "unknown":
      return subject.now + pollIntervalMs;
    default:
      return next satisfies never;
  }
}
