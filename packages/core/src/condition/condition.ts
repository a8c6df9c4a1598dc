/**
 * A condition of an object's status. Conditions report how far the latest spec has been reached. The functions of this
 * folder are pure. The step engine is the only writer: it resets the conditions, updates them step by step, then calls
 * `computeConditions`.
 */
export interface Condition extends ConditionUpdate {
  /** When `status` last changed. Other changes keep the time. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** Condition statuses as defined by `metav1.ConditionStatus`. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** How serious a condition is: Info is in progress, a retry may fix a Warning, a person has to act on an Error. */
export type Severity = "Error" | "Warning" | "Info";

/** A condition as reported by a step. The engine adds the transition time and the generation. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: ConditionStatus;
  /**
   * Severity of a False condition; absent otherwise. A step that reports False without severity means Error.
   * Conditions of other projects have none.
   */
  readonly severity?: Severity;
  readonly reason: string;
  readonly message: string;
}

/** Returns the fields of a condition that a step reports, without those that the engine adds and any others. */
export function conditionUpdateOf({ type, status, severity, reason, message }: ConditionUpdate): ConditionUpdate {
  // Severity qualifies a False; it has no meaning for True and Unknown.
  return { type, status, ...(status === "False" && severity !== undefined ? { severity } : {}), reason, message };
}

/** Type of the condition that summarizes all others. */
export const READY: string = "Ready";

/** Returns the condition of that type, or undefined. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Reports whether the list has that condition with status True. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** Returns the updates with `added` in place of the one with its type, or appended. */
export function setConditionUpdate(
  updates: readonly ConditionUpdate[],
  added: ConditionUpdate,
): readonly ConditionUpdate[] {
  if (!updates.some((update) => update.type === added.type)) return [...updates, added];
  return updates.map((update) => (update.type === added.type ? added : update));
}

/** Reason of a condition that was not checked yet. */
export const INIT = "Init";

/**
 * Returns the Unknown updates that every managed condition starts a run with. Renamed or removed conditions are dropped
 * this way.
 */
export function initialConditionUpdates(types: readonly string[]): readonly ConditionUpdate[] {
  return types.map((type) => ({ type, status: "Unknown", reason: INIT, message: `${type} not checked yet` }));
}
