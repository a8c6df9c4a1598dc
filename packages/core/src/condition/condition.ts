/**
 * Conditions say, field by field, how far the latest spec has been reached. Everything here is a pure function over lists;
 * the step engine calls them in one order (reset → one per step → `finish`) and nothing else writes conditions.
 */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** How bad a False is; absent otherwise. A False without severity counts as Error. */
  readonly severity?: Severity;
  readonly reason: string;
  readonly message: string;
  /** When `status` last changed; nothing else moves it. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** Kubernetes' three values. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** Info: asked for and in progress. Warning: a retry may fix it. Error: needs a person. */
export type Severity = "Error" | "Warning" | "Info";

/** A condition as a step reports it: time and generation are the engine's matter. */
export interface Finding {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly severity?: Severity;
  readonly reason: string;
  readonly message: string;
}

/** The condition that sums up all others. */
export const READY: string = "Ready";

/** The condition of that type, if the list has one. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the list has that condition with status True. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** The findings with `added` in place of the one of its type, or appended. */
export function setFinding(findings: readonly Finding[], added: Finding): readonly Finding[] {
  if (!findings.some((finding) => finding.type === added.type)) return [...findings, added];
  return findings.map((finding) => (finding.type === added.type ? added : finding));
}

/** How every managed condition starts a run: nothing stale survives a renamed or removed one. */
export function resetFindings(types: readonly string[]): readonly Finding[] {
  return types.map((type) => ({ type, status: "Unknown", reason: "Init", message: `${type} not checked yet` }));
}
