import { compareCodeUnits } from "../json/index.ts";
import { formatFieldPath } from "./path-element.ts";
import type { FieldPath } from "./path-element.ts";
import { fieldManagerId } from "./managed-fields.ts";
import type { FieldManager } from "./managed-fields.ts";

/** A field that an applied configuration would change and that another manager owns. */
export interface FieldConflict {
  readonly manager: FieldManager;
  readonly path: FieldPath;
}

/** Returns the conflict as a cause of a Status. */
export function conflictCause(conflict: FieldConflict): {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
} {
  return {
    reason: "FieldManagerConflict",
    message: `conflict with ${describeOwner(conflict.manager)}`,
    field: formatFieldPath(conflict.path),
  };
}

/** Formats all conflicts, grouped by manager. */
export function formatConflicts(conflicts: readonly FieldConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${describeOwner(first.manager)}: ${formatFieldPath(first.path)}`;
  }
  const byOwner = Map.groupBy(conflicts, ({ manager }) => fieldManagerId(manager));
  const lines = [...byOwner]
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([, same]) => [
      ...same.slice(0, 1).map(({ manager }) => `conflicts with ${describeOwner(manager)}:`),
      ...same.map(({ path }) => `- ${formatFieldPath(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeOwner(owner: FieldManager): string {
  const { manager, subresource, operation, apiVersion } = owner;
  const through = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
