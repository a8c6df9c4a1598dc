/** A condition in any of the forms that built-in kinds have. */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** What a controller says; when it became so follows from what was said before. */
export type Said = Omit<StatusCondition, "lastTransitionTime">;

/** The conditions with this one said. Nothing changes where status and reason are as before. */
export function withCondition<C extends StatusCondition>(
  conditions: readonly C[] | undefined,
  said: Said,
  now: string,
): readonly (C | StatusCondition)[] {
  const present = conditions ?? [];
  const before = present.find(({ type }) => type === said.type);
  if (before === undefined) return [...present, { ...said, lastTransitionTime: now }];
  if (before.status === said.status && before.reason === said.reason && before.message === said.message) return present;
  const lastTransitionTime = before.status === said.status ? before.lastTransitionTime : now;
  const next = { ...before, ...said, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
  return present.map((condition) => (condition === before ? next : condition));
}

/** The condition of a type. */
export function conditionOf<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether a condition holds. */
export function isTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return conditionOf(conditions, type)?.status === "True";
}
