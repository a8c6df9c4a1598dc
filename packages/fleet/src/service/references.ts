import { deepEqual } from "@levelset/core";
import { isDeleting, referenceProblems } from "../resource/index.ts";
import type { FieldProblem, FleetKind, References, ResourceReference, TextMap } from "../resource/index.ts";
import type { Expected, Stored } from "../store/index.ts";
import type { FleetContext } from "./context.ts";
import { FleetError, invalid } from "./fleet-error.ts";

/** The most references of a resource. */
export const REFERENCES_MAX = 100;

/** What a caller wants a resource to refer to: ids by type, and the kind where the caller names it. */
export type WantedReferences = Readonly<
  Record<string, readonly { readonly id: string; readonly kind?: string | undefined }[]>
>;

/** References that were found to lead somewhere, and what was relied on for that. */
export interface FoundReferences {
  readonly references: References;
  readonly touched: readonly Expected[];
}

/** What is wrong with references before anybody looks where they lead. */
export function wantedProblems(kind: FleetKind, wanted: WantedReferences): readonly FieldProblem[] {
  const count = Object.values(wanted).reduce((sum, targets) => sum + targets.length, 0);
  if (count > REFERENCES_MAX) {
    return [{ field: "references", message: `at most ${REFERENCES_MAX} references are allowed`, constraint: "max" }];
  }
  const twice = Object.entries(wanted).flatMap(([type, targets]) => {
    return targets.flatMap(({ id }, index): readonly FieldProblem[] => {
      const isFirst = targets.findIndex((other) => other.id === id) === index;
      return isFirst ? [] : [{ field: `references.${type}[${index}].id`, message: `${id} is there twice` }];
    });
  });
  return [...referenceProblems(kind, wanted), ...twice];
}

/**
 * Where references lead. A target must be there, be of the kind that the type asks for, belong to the same tenant, and not be on
 * its way out. `own` is the id of the resource that refers.
 */
export async function findReferences(
  { store }: FleetContext,
  kind: FleetKind,
  wanted: WantedReferences,
  from: { readonly own: string; readonly tenancy: TextMap },
): Promise<FoundReferences> {
  const ids = [...new Set(Object.values(wanted).flatMap((targets) => targets.map(({ id }) => id)))];
  if (ids.length === 0) return { references: {}, touched: [] };
  const loaded = await store.loadAll(ids);
  const visible = loaded.filter(({ resource }) => deepEqual(resource.tenancy, from.tenancy));
  const byId = new Map(visible.map((stored) => [stored.resource.id, stored]));
  const problems = Object.entries(wanted).flatMap(([type, targets]) => targetProblems(kind, type, targets, byId));
  if (problems.length > 0) throw invalid(problems);
  const leaving = visible.find(({ resource }) => isDeleting(resource));
  if (leaving !== undefined) {
    const { kind: leavingKind, id } = leaving.resource;
    throw new FleetError("state", `${leavingKind} with id='${id}' is being deleted: nothing may refer to it any more`);
  }
  const touched = visible
    .filter(({ resource }) => resource.id !== from.own)
    .map(({ resource, revision }) => ({ id: resource.id, revision }));
  return { references: resolved(wanted, byId), touched };
}

function targetProblems(
  kind: FleetKind,
  type: string,
  targets: WantedReferences[string],
  byId: ReadonlyMap<string, Stored>,
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

function resolved(wanted: WantedReferences, byId: ReadonlyMap<string, Stored>): References {
  const entries = Object.entries(wanted).map(([type, targets]) => {
    return [type, targets.flatMap(({ id }) => referenceTo(byId.get(id)))] as const;
  });
  return Object.fromEntries(entries.filter(([, targets]) => targets.length > 0));
}

function referenceTo(stored: Stored | undefined): readonly ResourceReference[] {
  if (stored === undefined) return [];
  const { id, kind, href } = stored.resource;
  return [{ id, kind, href }];
}
