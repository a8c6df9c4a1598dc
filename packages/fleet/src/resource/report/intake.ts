import { MANDATORY_CONDITIONS, conditionStatusIn } from "./adapter-status.ts";
import type { AdapterCondition, AdapterStatus, StoredReport, Report } from "./adapter-status.ts";
import { DEFAULT_TTL } from "../due.ts";
import { isFlapping, nextFlips } from "./flapping.ts";
import type { FieldProblem } from "../field-problem.ts";

/** Why a report is discarded. It is still added to the history. */
export type DiscardReason =
  /** Its generation is newer than the resource's. */
  | "GenerationUnknown"
  /** This adapter has reported a newer generation. */
  | "GenerationOlder"
  /** This adapter has reported on that generation later. */
  | "TimeOlder"
  /** It has the time of the stored report: most likely a duplicate. */
  | "TimeEqual";

/**
 * Result of the intake of a report.
 *
 * `verdict` and `progress` are the new state of the adapter to store; `answer` is 201 or 204. Only a verdict can
 * change the resource's conditions. `flipped`: the adapter's verdict differs from the previous one or is of another
 * generation, so other adapters may be waiting for it. `isFlapping`: it changes too often for an immediate
 * notification.
 */
export type Intake =
  | {
      readonly kind: "verdict";
      readonly status: AdapterStatus;
      readonly flipped: boolean;
      readonly isFlapping: boolean;
      readonly httpStatus: 201;
    }
  | { readonly kind: "progress"; readonly status: AdapterStatus; readonly httpStatus: 201 | 204 }
  | { readonly kind: "discarded"; readonly reason: DiscardReason; readonly httpStatus: 204 }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/** Time of the intake, and the not-ready TTL of the resource. */
export interface IntakeTime {
  readonly now: number;
  readonly notReadyMs: number;
}

/**
 * Decides about a well-formed report on an existing resource. The first matching rule wins:
 *
 * 1. A generation newer than the resource's, or older than the adapter's last one, is discarded.
 * 2. An older or equal time at the same generation is discarded.
 * 3. A report without the mandatory conditions is invalid.
 * 4. Available=Unknown is progress: it never changes the verdict or its time.
 * 5. Anything else is the adapter's new verdict.
 *
 * A verdict is compared with the previous verdict, or with the progress while there is none; progress with the newest
 * of both. So progress on a new generation does not block the final verdict on the previous one, which may be a
 * failure.
 *
 * `at` has the intake time and the not-ready TTL, by which verdict changes are counted.
 */
export function decideReport(
  report: Report,
  resource: { readonly generation: number },
  known: AdapterStatus | undefined,
  at: IntakeTime = { now: report.observedTime, notReadyMs: DEFAULT_TTL.notReadyMs },
): Intake {
  const isProgress = conditionStatusIn(report, "Available") === "Unknown";
  const reason =
    report.observedGeneration > resource.generation ? "GenerationUnknown" : staleness(report, known, isProgress);
  if (reason !== undefined) return { kind: "discarded", reason, httpStatus: 204 };
  const missing = MANDATORY_CONDITIONS.filter((type) => conditionStatusIn(report, type) === undefined);
  if (missing.length > 0) return { kind: "invalid", problems: missing.map(missingCondition) };
  return isProgress ? keepProgress(report, known) : keepVerdict(report, known, at);
}

function missingCondition(type: string): FieldProblem {
  return { field: "conditions", message: `missing mandatory condition '${type}'`, constraint: "required" };
}

function staleness(report: Report, known: AdapterStatus | undefined, isProgress: boolean): DiscardReason | undefined {
  if (known === undefined) return undefined;
  const same = isProgress ? known.progress : known.verdict;
  const stored = isProgress ? newest(known) : (known.verdict ?? known.progress);
  if (report.observedGeneration < stored.observedGeneration) return "GenerationOlder";
  if (report.observedGeneration > stored.observedGeneration) return undefined;
  if (report.observedTime < stored.observedTime) return "TimeOlder";
  // Adapters often report whole seconds: a verdict may have the same second as the progress that it ends.
  return report.observedTime === stored.observedTime && stored === same ? "TimeEqual" : undefined;
}

function newest({ verdict, progress }: AdapterStatus): StoredReport {
  if (verdict === undefined) return progress;
  return progress !== undefined && isNewer(progress, verdict) ? progress : verdict;
}

function isNewer(a: StoredReport, b: StoredReport): boolean {
  if (a.observedGeneration !== b.observedGeneration) return a.observedGeneration > b.observedGeneration;
  return a.observedTime > b.observedTime;
}

function keepProgress(report: Report, known: AdapterStatus | undefined): Intake {
  const { adapter, observedTime } = report;
  const progress = keep(report, known?.progress ?? known?.verdict);
  if (known === undefined) {
    return { kind: "progress", status: { adapter, createdTime: observedTime, progress }, httpStatus: 201 };
  }
  return { kind: "progress", status: { ...known, progress }, httpStatus: 204 };
}

function keepVerdict(report: Report, known: AdapterStatus | undefined, at: IntakeTime): Intake {
  const { adapter, observedTime } = report;
  const before = known?.verdict;
  const verdict = keep(report, before ?? known?.progress);
  const { progress } = known ?? {};
  const isNewGeneration = before?.observedGeneration !== verdict.observedGeneration;
  const flipped =
    isNewGeneration ||
    conditionStatusIn(before, "Available") !== conditionStatusIn(verdict, "Available") ||
    conditionStatusIn(before, "Finalized") !== conditionStatusIn(verdict, "Finalized");
  const flips = nextFlips(known?.flips, { ...at, isFlipped: flipped, isNewGeneration });
  const status: AdapterStatus = {
    adapter,
    createdTime: known?.createdTime ?? observedTime,
    verdict,
    ...(progress !== undefined && isNewer(progress, verdict) ? { progress } : {}),
    ...(flips === undefined ? {} : { flips }),
  };
  return { kind: "verdict", status, flipped, isFlapping: isFlapping(flips, at.now), httpStatus: 201 };
}

/** Returns a report with the transition times of its conditions. */
function keep(report: Report, before: StoredReport | undefined): StoredReport {
  const { observedGeneration, observedTime, data, metadata } = report;
  const conditions = report.conditions.map((condition): AdapterCondition => {
    const earlier = before?.conditions.find(({ type }) => type === condition.type);
    const isSame = earlier !== undefined && earlier.status === condition.status;
    return { ...condition, lastTransitionTime: isSame ? earlier.lastTransitionTime : observedTime };
  });
  return {
    observedGeneration,
    observedTime,
    conditions,
    ...(data === undefined ? {} : { data }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
