/** Expressions of a decision: parameters, each of which sees the ones before it, and the result. */
export interface DecisionExpressions {
  readonly params: readonly { readonly name: string; readonly expr: string }[];
  readonly result: string;
}

/**
 * Pulses new and changed resources, resources not reconciled for ten seconds, and resources reconciled half an hour
 * ago.
 */
export const DEFAULT_DECISION: DecisionExpressions = {
  params: [
    { name: "ref_time", expr: 'condition("Reconciled").last_updated_time' },
    { name: "is_reconciled", expr: 'condition("Reconciled").status == "True"' },
    { name: "has_ref_time", expr: 'ref_time != ""' },
    { name: "is_new_resource", expr: "resource.generation == 1 && !has_ref_time" },
    {
      name: "generation_mismatch",
      expr: 'resource.generation > condition("Reconciled").observed_generation',
    },
    {
      name: "reconciled_and_stale",
      expr: 'is_reconciled && has_ref_time && now - timestamp(ref_time) > duration("30m")',
    },
    {
      name: "not_reconciled_and_debounced",
      expr: '!is_reconciled && has_ref_time && now - timestamp(ref_time) > duration("10s")',
    },
  ],
  result: "is_new_resource || generation_mismatch || reconciled_and_stale || not_reconciled_and_debounced",
};
