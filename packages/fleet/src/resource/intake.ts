import { MANDATORY_CONDITIONS, statusIn } from "./adapter-status.ts";
import type { AdapterCondition, AdapterStatus, KeptReport, Report } from "./adapter-status.ts";
import { DEFAULT_TTL } from "./due.ts";
import { isFlapping, nextFlips } from "./flapping.ts";
import type { FieldProblem } from "./problem.ts";

/** Why a report is not kept. It still belongs into the history. */
export type DiscardReason =
  /** It speaks of a generation that the resource does not have. */
  | "GenerationUnknown"
  /** This adapter has reported a newer generation. */
  | "GenerationOlder"
  /** This adapter has reported on that generation later. */
  | "TimeOlder"
  /** It is as old as what is kept: most likely the same report again. */
  | "TimeEqual";

/**
 * What becomes of a report.
 *
 * `verdict` and `progress` say what is to be kept of the adapter from now on; `answer` is 201 or 204. Only a verdict may change the
 * resource's conditions. `flipped` says that the adapter's verdict is another one than
 * before, or of another generation: its siblings may have been waiting for that. `isFlapping` says that it changes too often for them to be
 * notified at once.
 */
export type Intake =
  | {
      readonly kind: "verdict";
      readonly status: AdapterStatus;
      readonly flipped: boolean;
      readonly isFlapping: boolean;
      readonly answer: 201;
    }
  | { readonly kind: "progress"; readonly status: AdapterStatus; readonly answer: 201 | 204 }
  | { readonly kind: "discarded"; readonly reason: DiscardReason; readonly answer: 204 }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/** When a report comes in, and how long its resource is left alone while it is not ready. */
export interface IntakeTime {
  readonly now: number;
  readonly notReadyMs: number;
}

/**
 * Decides about a report that is well-formed, on a resource that exists. The first rule that applies wins:
 *
 * 1. a generation beyond the resource's, or older than what the adapter has reported, is discarded;
 * 2. so is an older time, or the same one, at the same generation;
 * 3. a report without the mandatory conditions is invalid;
 * 4. Available=Unknown is progress: it never touches the verdict, nor the time of the verdict;
 * 5. anything else is the adapter's new verdict.
 *
 * A verdict is compared with the verdict before, or with the progress while there is none; progress with the newest of both. So
 * progress on a new generation does not shut out the last word on the one before, which may be that it fails.
 *
 * `at` says when the report came in and what the not-ready TTL is: how often a verdict changed is counted by it.
 */
export function decideReport(
  report: Report,
  resource: { readonly generation: number },
  known: AdapterStatus | undefined,
  at: IntakeTime = { now: report.observedTime, notReadyMs: DEFAULT_TTL.notReadyMs },
): Intake {
  const isProgress = statusIn(report, "Available") === "Unknown";
  const reason =
    report.observedGeneration > resource.generation ? "GenerationUnknown" : staleness(report, known, isProgress);
  if (reason !== undefined) return { kind: "discarded", reason, answer: 204 };
  const missing = MANDATORY_CONDITIONS.filter((type) => statusIn(report, type) === undefined);
  if (missing.length > 0) return { kind: "invalid", problems: missing.map(missingCondition) };
  return isProgress ? keepProgress(report, known) : keepVerdict(report, known, at);
}

function missingCondition(type: string): FieldProblem {
  return { field: "conditions", message: `missing mandatory condition '${type}'`, constraint: "required" };
}

function staleness(report: Report, known: AdapterStatus | undefined, isProgress: boolean): DiscardReason | undefined {
  if (known === undefined) return undefined;
  const same = isProgress ? known.progress : known.verdict;
  const kept = isProgress ? newest(known) : (known.verdict ?? known.progress);
  if (report.observedGeneration < kept.observedGeneration) return "GenerationOlder";
  if (report.observedGeneration > kept.observedGeneration) return undefined;
  if (report.observedTime < kept.observedTime) return "TimeOlder";
  // Adapters often report whole seconds: a verdict may come within the second of the progress that it ends.
  return report.observedTime === kept.observedTime && kept === same ? "TimeEqual" : undefined;
}

function newest({ verdict, progress }: AdapterStatus): KeptReport {
  if (verdict === undefined) return progress;
  return progress !== undefined && isNewer(progress, verdict) ? progress : verdict;
}

function isNewer(a: KeptReport, b: KeptReport): boolean {
  if (a.observedGeneration !== b.observedGeneration) return a.observedGeneration > b.observedGeneration;
  return a.observedTime > b.observedTime;
}

function keepProgress(report: Report, known: AdapterStatus | undefined): Intake {
  const { adapter, observedTime } = report;
  const progress = keep(report, known?.progress ?? known?.verdict);
  if (known === undefined) {
    return { kind: "progress", status: { adapter, createdTime: observedTime, progress }, answer: 201 };
  }
  return { kind: "progress", status: { ...known, progress }, answer: 204 };
}

function keepVerdict(report: Report, known: AdapterStatus | undefined, at: IntakeTime): Intake {
  const { adapter, observedTime } = report;
  const before = known?.verdict;
  const verdict = keep(report, before ?? known?.progress);
  const { progress } = known ?? {};
  const isNewGeneration = before?.observedGeneration !== verdict.observedGeneration;
  const flipped =
    isNewGeneration ||
    statusIn(before, "Available") !== statusIn(verdict, "Available") ||
    statusIn(before, "Finalized") !== statusIn(verdict, "Finalized");
  const flips = nextFlips(known?.flips, { ...at, isFlipped: flipped, isNewGeneration });
  const status: AdapterStatus = {
    adapter,
    createdTime: known?.createdTime ?? observedTime,
    verdict,
    ...(progress !== undefined && isNewer(progress, verdict) ? { progress } : {}),
    ...(flips === undefined ? {} : { flips }),
  };
  return { kind: "verdict", status, flipped, isFlapping: isFlapping(flips, at.now), answer: 201 };
}

/** A report with the times at which its conditions changed. */
function keep(report: Report, before: KeptReport | undefined): KeptReport {
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
