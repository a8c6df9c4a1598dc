/** An adapter and its resource type: `validation` of `clusters`. */
export interface AdapterAssignment {
  readonly adapter: string;
  readonly resourceType: string;
}

/** Reports whether an adapter is assigned. */
export function isAssigned(assignments: readonly AdapterAssignment[], resourceType: string, adapter: string): boolean {
  return assignments.some((each) => each.adapter === adapter && each.resourceType === resourceType);
}
