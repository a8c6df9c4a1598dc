import { ROLL_UP_TYPES, timeText } from "../../resource/index.ts";
import type { RefreshTtl } from "../../resource/index.ts";
import type { PulseRule } from "./pulse-rule.ts";

/**
 * Check interval for resources that never become due by time. It is cheap, and keeps "no planned work" a sign of a
 * defect.
 */
export const FALLBACK_CHECK_MS: number = 24 * 60 * 60_000;

const READY: readonly string[] = [ROLL_UP_TYPES.ready.type, ROLL_UP_TYPES.ready.alias];

type Aged = Pick<PulseRule, "decision" | "pollIntervalMs">;

/**
 * Returns the maximum age of reports before a resource is pulsed: the shortest of all rules, of which there is at
 * least one. A rule whose decision depends on more than generation and readiness has no TTL that holds for all
 * resources: its decision is evaluated after each poll interval.
 */
export function refreshTtl(rules: readonly Aged[]): RefreshTtl {
  return {
    readyMs: Math.min(...rules.map((rule) => ageAtPulse(rule, "True"))),
    notReadyMs: Math.min(...rules.map((rule) => ageAtPulse(rule, "False"))),
  };
}

/** Returns the maximum age of a report at which a resource of this readiness is not pulsed yet, at any generation. */
function ageAtPulse(rule: Aged, ready: string): number {
  const generations = rule.decision.generationsIf(READY);
  if (generations === undefined) return rule.pollIntervalMs;
  return Math.min(...generations.map((generation) => ageOf(rule, generation, ready)));
}

function ageOf({ decision, pollIntervalMs }: Aged, generation: number, ready: string): number {
  const now = Date.UTC(2026, 0, 1);
  const conditions = READY.map((type) => {
    return { type, status: ready, observed_generation: generation, last_updated_time: timeText(now) };
  });
  const subject = { resource: { generation, status: { conditions } }, now };
  if (decision.decide(subject).kind !== "skip") return pollIntervalMs;
  const next = decision.next(subject);
  switch (next.kind) {
    case "at":
      return Math.min(FALLBACK_CHECK_MS, Math.max(1, next.time - now - 1));
    case "never":
      return FALLBACK_CHECK_MS;
    case "unknown":
      return pollIntervalMs;
    default:
      return next satisfies never;
  }
}
