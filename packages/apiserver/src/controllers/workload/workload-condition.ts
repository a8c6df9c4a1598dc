/** A condition of any built-in kind. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** A condition without its transition time, which is derived from the previous condition. */
export type WorkloadConditionUpdate = Omit<WorkloadCondition, "lastTransitionTime">;

/** Sets a condition. No change if status and reason are the same. */
export function setWorkloadCondition<C extends WorkloadCondition>(
  conditions: readonly C[] | undefined,
  update: WorkloadConditionUpdate,
  now: string,
): readonly (C | WorkloadCondition)[] {
  const present = conditions ?? [];
  const before = present.find(({ type }) => type === update.type);
  if (before === undefined) return [...present, { ...update, lastTransitionTime: now }];
  if (before.status === update.status && before.reason === update.reason && before.message === update.message)
    return present;
  const lastTransitionTime = before.status === update.status ? before.lastTransitionTime : now;
  const next = { ...before, ...update, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
  return present.map((condition) => (condition === before ? next : condition));
}

/** Returns the condition of a type. */
export function getWorkloadCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is True. */
export function isWorkloadConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return getWorkloadCondition(conditions, type)?.status === "True";
}
