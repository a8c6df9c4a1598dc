import type { JsonObject } from "@levelset/core";

/** A reference to another resource. */
export interface ResourceReference {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** Strings by key: labels, and the dimensions of a tenancy. */
export type TextMap = Readonly<Record<string, string>>;

/** Outgoing references by type. */
export type References = Readonly<Record<string, readonly ResourceReference[]>>;

/**
 * A fleet resource: a cluster, a node pool, or any declared kind. `generation` is incremented by every change of spec,
 * labels or references and by the deletion. Times are milliseconds since 1970.
 */
export interface Resource {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Path in the API. */
  readonly href: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly generation: number;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly createdBy: string;
  readonly updatedBy: string;
  /** Present while it is being deleted: it exists until its adapters are finalized and its children are removed. */
  readonly deletion?: Deletion;
  readonly owner?: ResourceReference;
  readonly references: References;
  readonly tenancy: TextMap;
  readonly conditions: readonly ResourceCondition[];
}

/** Author and time of a deletion request. */
export interface Deletion {
  readonly time: number;
  readonly by: string;
}

/** A condition of a resource. Unlike an adapter's condition it is never Unknown. */
export interface ResourceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
  /** The generation that the status refers to. */
  readonly observedGeneration: number;
  readonly createdTime: number;
  /** The age of the evidence: the oldest report that the status relies on. */
  readonly lastUpdatedTime: number;
  /** The time of the cause that changed the status: a report, or a change of the declaration. */
  readonly lastTransitionTime: number;
}

/** Returns the condition of a type, if present. */
export function findResourceCondition(
  conditions: readonly ResourceCondition[],
  type: string,
): ResourceCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Returns whether a resource is being deleted. */
export function isResourceDeleting(resource: Pick<Resource, "deletion">): boolean {
  return resource.deletion !== undefined;
}
