import { deepEqual } from "@levelset/core/internal";
import { isResourceDeleting, referenceProblems } from "../resource/index.ts";
import type { FieldProblem, FleetKind, References, ResourceReference, TextMap } from "../resource/index.ts";
import type { ExpectedRevision, StoredResource } from "../store/index.ts";
import type { FleetContext } from "./fleet-context.ts";
import { FleetError, invalidFields } from "./fleet-error.ts";

/** The maximum number of references per resource. */
export const REFERENCES_MAX = 100;

/** Requested references: IDs by type, and the kind if the caller names it. */
export type RequestedReferences = Readonly<
  Record<string, readonly { readonly id: string; readonly kind?: string | undefined }[]>
>;

/** Resolved references, and the revisions that this relies on. */
export interface ResolvedReferences {
  readonly references: References;
  readonly touched: readonly ExpectedRevision[];
}

/** Validates references before they are resolved. */
export function requestedReferenceProblems(kind: FleetKind, requested: RequestedReferences): readonly FieldProblem[] {
  const count = Object.values(requested).reduce((sum, targets) => sum + targets.length, 0);
  if (count > REFERENCES_MAX) {
    return [{ field: "references", message: `at most ${REFERENCES_MAX} references are allowed`, constraint: "max" }];
  }
  const twice = Object.entries(requested).flatMap(([type, targets]) => {
    return targets.flatMap(({ id }, index): readonly FieldProblem[] => {
      const isFirst = targets.findIndex((other) => other.id === id) === index;
      return isFirst ? [] : [{ field: `references.${type}[${index}].id`, message: `${id} is a duplicate` }];
    });
  });
  return [...referenceProblems(kind, requested), ...twice];
}

/**
 * Resolves references. A target must exist, have the kind that the type requires, belong to the same tenant, and not be
 * being deleted. `own` is the ID of the referring resource.
 */
export async function resolveReferences(
  { store }: FleetContext,
  kind: FleetKind,
  requested: RequestedReferences,
  from: { readonly own: string; readonly tenancy: TextMap },
): Promise<ResolvedReferences> {
  const ids = [...new Set(Object.values(requested).flatMap((targets) => targets.map(({ id }) => id)))];
  if (ids.length === 0) return { references: {}, touched: [] };
  const loaded = await store.loadAll(ids);
  const visible = loaded.filter(({ resource }) => deepEqual(resource.tenancy, from.tenancy));
  const byId = new Map(visible.map((stored) => [stored.resource.id, stored]));
  const problems = Object.entries(requested).flatMap(([type, targets]) => targetProblems(kind, type, targets, byId));
  if (problems.length > 0) throw invalidFields(problems);
  const leaving = visible.find(({ resource }) => isResourceDeleting(resource));
  if (leaving !== undefined) {
    const { kind: leavingKind, id } = leaving.resource;
    throw new FleetError("state", `${leavingKind} with id='${id}' is being deleted: it cannot be referred to`);
  }
  const touched = visible
    .filter(({ resource }) => resource.id !== from.own)
    .map(({ resource, revision }) => ({ id: resource.id, revision }));
  return { references: resolved(requested, byId), touched };
}

function targetProblems(
  kind: FleetKind,
  type: string,
  targets: RequestedReferences[string],
  byId: ReadonlyMap<string, StoredResource>,
): readonly FieldProblem[] {
  const targetKind = kind.references.find((rule) => rule.type === type)?.targetKind ?? "Resource";
  return targets.flatMap(({ id, kind: named }, index): readonly FieldProblem[] => {
    const field = `references.${type}[${index}]`;
    if (named !== undefined && named !== targetKind) {
      return [{ field: `${field}.kind`, message: `kind must be '${targetKind}'`, value: named }];
    }
    if (byId.get(id)?.resource.kind === targetKind) return [];
    return [{ field: `${field}.id`, message: `${targetKind} with id='${id}' not found`, value: id }];
  });
}

function resolved(requested: RequestedReferences, byId: ReadonlyMap<string, StoredResource>): References {
  const entries = Object.entries(requested).map(([type, targets]) => {
    return [type, targets.flatMap(({ id }) => referenceTo(byId.get(id)))] as const;
  });
  return Object.fromEntries(entries.filter(([, targets]) => targets.length > 0));
}

function referenceTo(stored: StoredResource | undefined): readonly ResourceReference[] {
  if (stored === undefined) return [];
  const { id, kind, href } = stored.resource;
  return [{ id, kind, href }];
}
