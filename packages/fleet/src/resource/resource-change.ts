import { deepEqual } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import type { AggregateInput } from "./aggregate.ts";
import type { FleetKind } from "./kind/kind.ts";
import { isResourceDeleting } from "./resource.ts";
import type { References, Resource, TextMap } from "./resource.ts";
import { evaluateResource } from "./evaluate-resource.ts";

/** Author and time of a change. */
export interface Actor {
  readonly by: string;
  readonly now: number;
}

/** Validated content of a new resource. */
export interface NewResource {
  readonly kind: FleetKind;
  readonly id: string;
  readonly name: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly references: References;
  readonly tenancy: TextMap;
  /** The parent, for kinds that have one. */
  readonly parent: Resource | undefined;
  /** Base path of the API: `/api/hyperfleet/v1`. */
  readonly basePath: string;
}

/** Why a change is rejected. */
export type RefusalReason =
  /** The resource or its parent is being deleted. */
  "Finalizing";

/** Result of a creation. */
export type CreateDecision =
  | { readonly kind: "created"; readonly resource: Resource }
  | { readonly kind: "refused"; readonly reason: RefusalReason };

/** Creates a resource of generation 1. Rejected below a parent that is being deleted. Throws a RuleError. */
export function decideCreate(created: NewResource, { by, now }: Actor): CreateDecision {
  const { kind, id, name, spec, labels, references, tenancy, parent, basePath } = created;
  if (parent !== undefined && isResourceDeleting(parent)) return { kind: "refused", reason: "Finalizing" };
  const resource: Resource = {
    id,
    kind: kind.kind,
    name,
    href: `${parent?.href ?? basePath}/${kind.plural}/${id}`,
    spec,
    labels,
    generation: 1,
    createdTime: now,
    updatedTime: now,
    createdBy: by,
    updatedBy: by,
    ...(parent === undefined ? {} : { owner: { id: parent.id, kind: parent.kind, href: parent.href } }),
    references,
    tenancy,
    conditions: [],
  };
  return {
    kind: "created",
    resource: evaluateResource({ kind, resource, statuses: [], children: 0, causeTime: now }).resource,
  };
}

/** The fields to replace, each as a whole. */
export interface ResourcePatch {
  readonly spec?: JsonObject;
  readonly labels?: TextMap;
  readonly references?: References;
}

/** Result of a patch. */
export type PatchDecision =
  | { readonly kind: "changed"; readonly resource: Resource }
  | { readonly kind: "unchanged"; readonly resource: Resource }
  | { readonly kind: "refused"; readonly reason: RefusalReason };

/**
 * Patches a declaration. The generation is incremented if anything differs; the order of keys, labels and references
 * does not matter. Without a difference the resource stays unchanged, including its times. Throws a RuleError.
 */
export function decidePatch(
  current: Omit<AggregateInput, "causeTime">,
  patch: ResourcePatch,
  { by, now }: Actor,
): PatchDecision {
  const { resource } = current;
  if (isResourceDeleting(resource)) return { kind: "refused", reason: "Finalizing" };
  const isSame =
    (patch.spec === undefined || deepEqual(patch.spec, resource.spec)) &&
    (patch.labels === undefined || deepEqual(patch.labels, resource.labels)) &&
    (patch.references === undefined || deepEqual(targets(patch.references), targets(resource.references)));
  if (isSame) return { kind: "unchanged", resource };
  const generation = resource.generation + 1;
  const changed: Resource = { ...resource, ...patch, generation, updatedTime: now, updatedBy: by };
  return { kind: "changed", resource: evaluateResource({ ...current, resource: changed, causeTime: now }).resource };
}

/** Returns the targets of references, independent of order. */
function targets(references: References): readonly string[] {
  return Object.entries(references)
    .flatMap(([type, found]) => found.map(({ id }) => `${type} ${id}`))
    .toSorted();
}
