import { ROLL_UP_TYPES, timeText } from "../resource/index.ts";
import type { RefreshTtl } from "../resource/index.ts";
import type { PulseRule } from "./pulse-rule.ts";

/** When to look again at what no passing of time makes due: it costs little, and keeps `nothing planned` a sign of something lost. */
export const FAR_MS: number = 24 * 60 * 60_000;

const READY: readonly string[] = [ROLL_UP_TYPES.ready.type, ROLL_UP_TYPES.ready.alias];

type Aged = Pick<PulseRule, "decision" | "pollIntervalMs">;

/**
 * How old reports may get before rules pulse a resource: the shortest that any of them says; there is at least one. A rule whose decision also depends on other things than
 * generation and readiness says nothing that holds for all resources: then the decision is asked after each of its poll intervals.
 */
export function refreshTtl(rules: readonly Aged[]): RefreshTtl {
  return {
    readyMs: Math.min(...rules.map((rule) => ageAtPulse(rule, "True"))),
    notReadyMs: Math.min(...rules.map((rule) => ageAtPulse(rule, "False"))),
  };
}

/** The last age of a report at which a resource that is ready, or is not, is not pulsed yet, whatever its generation. */
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
      return Math.min(FAR_MS, Math.max(1, next.time - now - 1));
    case "never":
      return FAR_MS;
    case "unknown":
      return pollIntervalMs;
    default:
      return next satisfies never;
  }
}
