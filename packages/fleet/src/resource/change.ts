import { deepEqual } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { AggregateInput } from "./aggregate.ts";
import type { FleetKind } from "./kind.ts";
import { isDeleting } from "./resource.ts";
import type { References, Resource, TextMap } from "./resource.ts";
import { settle } from "./settle.ts";

/** Who does something, and when. */
export interface Actor {
  readonly by: string;
  readonly now: number;
}

/** What a new resource is made of, once it is known to be valid. */
export interface NewResource {
  readonly kind: FleetKind;
  readonly id: string;
  readonly name: string;
  readonly spec: JsonObject;
  readonly labels: TextMap;
  readonly references: References;
  readonly tenancy: TextMap;
  /** The parent, for the kinds that have one. */
  readonly parent: Resource | undefined;
  /** Where the API's paths begin: `/api/hyperfleet/v1`. */
  readonly basePath: string;
}

/** Why a resource is left as it is. */
export type Refusal =
  /** It, or its parent, is being deleted. */
  "Finalizing";

/** What becomes of a new resource. */
export type CreateDecision =
  | { readonly kind: "created"; readonly resource: Resource }
  | { readonly kind: "refused"; readonly reason: Refusal };

/** Makes a resource of generation 1. Nothing is born below a parent that is being deleted. Throws a RuleError. */
export function decideCreate(created: NewResource, { by, now }: Actor): CreateDecision {
  const { kind, id, name, spec, labels, references, tenancy, parent, basePath } = created;
  if (parent !== undefined && isDeleting(parent)) return { kind: "refused", reason: "Finalizing" };
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
  return { kind: "created", resource: settle({ kind, resource, statuses: [], children: 0, causeTime: now }).resource };
}

/** The members to replace, each as a whole. */
export interface Patch {
  readonly spec?: JsonObject;
  readonly labels?: TextMap;
  readonly references?: References;
}

/** What becomes of a patch. */
export type PatchDecision =
  | { readonly kind: "changed"; readonly resource: Resource }
  | { readonly kind: "unchanged"; readonly resource: Resource }
  | { readonly kind: "refused"; readonly reason: Refusal };

/**
 * Changes a declaration. The generation rises by one if anything is different: the order of keys, labels and references is no difference.
 * What is the same already is left untouched, down to its times. Throws a RuleError.
 */
export function decidePatch(
  current: Omit<AggregateInput, "causeTime">,
  patch: Patch,
  { by, now }: Actor,
): PatchDecision {
  const { resource } = current;
  if (isDeleting(resource)) return { kind: "refused", reason: "Finalizing" };
  const isSame =
    (patch.spec === undefined || deepEqual(patch.spec, resource.spec)) &&
    (patch.labels === undefined || deepEqual(patch.labels, resource.labels)) &&
    (patch.references === undefined || deepEqual(targets(patch.references), targets(resource.references)));
  if (isSame) return { kind: "unchanged", resource };
  const generation = resource.generation + 1;
  const changed: Resource = { ...resource, ...patch, generation, updatedTime: now, updatedBy: by };
  return { kind: "changed", resource: settle({ ...current, resource: changed, causeTime: now }).resource };
}

/** What references lead to, whatever their order. */
function targets(references: References): readonly string[] {
  return Object.entries(references)
    .flatMap(([type, found]) => found.map(({ id }) => `${type} ${id}`))
    .toSorted();
}
