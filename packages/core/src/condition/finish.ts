import { compareTexts, storableText } from "../json/index.ts";
import { findCondition, READY } from "./condition.ts";
import type { Condition, Finding } from "./condition.ts";
import { readyFinding } from "./ready.ts";
import type { RunOutcome } from "./ready.ts";

/** What `finish` needs besides the findings. */
export interface FinishOptions {
  /** The conditions that the object had before this run. */
  readonly previous: readonly Condition[] | undefined;
  readonly outcome: RunOutcome;
  /** Findings that only inform: Ready does not look at them. */
  readonly asides?: readonly Finding[];
  readonly generation: number | undefined;
  /** Now, as Kubernetes writes it. */
  readonly now: string;
}

/**
 * Turns the findings of a run (in step order) into the list that is stored: Ready computed last and placed first, the rest by
 * type. A condition whose status did not change keeps its transition time, Ready included, so that equal findings give an equal
 * list and a settled object is not written again.
 */
export function finish(findings: readonly Finding[], options: FinishOptions): readonly Condition[] {
  const rest = findings.filter((finding) => finding.type !== READY).map((finding) => stamp(finding, options));
  const ready = stamp(readyFinding(rest, options.outcome), options);
  const asides = (options.asides ?? []).map((finding) => stamp(finding, options));
  return [ready, ...[...rest, ...asides].toSorted((a, b) => compareTexts(a.type, b.type))];
}

function stamp(finding: Finding, options: FinishOptions): Condition {
  const before = findCondition(options.previous, finding.type);
  const { type, status, severity, reason, message } = finding;
  return {
    type,
    status,
    // Severity says how bad a False is; beside True or Unknown it would only confuse.
    ...(status === "False" && severity !== undefined ? { severity } : {}),
    reason,
    // A message may quote anything. One that the API server refuses would keep the whole status from being written.
    message: storableText(message),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : options.now,
    ...(options.generation === undefined ? {} : { observedGeneration: options.generation }),
  };
}
