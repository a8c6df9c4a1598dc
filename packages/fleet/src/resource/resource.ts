import type { JsonObject } from "@levelset/core";

/** A pointer to another resource. */
export interface ResourceReference {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** Texts by key: labels, and the dimensions of a tenancy. */
export type TextMap = Readonly<Record<string, string>>;

/** Outgoing references, by their type. */
export type References = Readonly<Record<string, readonly ResourceReference[]>>;

/**
 * Anything the fleet keeps: a cluster, a node pool, whatever a kind declares. `generation` counts the declarations: every change of
 * spec, labels or references and the deletion raise it by one. Times are milliseconds since 1970.
 */
export interface Resource {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Its path in the API. */
  readonly href: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly generation: number;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly createdBy: string;
  readonly updatedBy: string;
  /** Set once it is being deleted: it stays until its adapters are finalized and its children are gone. */
  readonly deletion?: Deletion;
  readonly owner?: ResourceReference;
  readonly references: References;
  readonly tenancy: TextMap;
  readonly conditions: readonly ResourceCondition[];
}

/** Who asked for a deletion, and when. */
export interface Deletion {
  readonly time: number;
  readonly by: string;
}

/** What is known of a resource as a whole. Unlike an adapter's condition it is never Unknown. */
export interface ResourceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
  /** The generation that the status speaks of. */
  readonly observedGeneration: number;
  readonly createdTime: number;
  /** The age of the evidence: the oldest report that the status relies on. */
  readonly lastUpdatedTime: number;
  /** The time of what changed the status: a report, or a change of the declaration. */
  readonly lastTransitionTime: number;
}

/** The condition of a type, if there is one. */
export function conditionOf(conditions: readonly ResourceCondition[], type: string): ResourceCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Whether a resource is being deleted. */
export function isDeleting(resource: Pick<Resource, "deletion">): boolean {
  return resource.deletion !== undefined;
}
