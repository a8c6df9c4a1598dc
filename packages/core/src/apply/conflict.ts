import { compareTexts } from "../json/index.ts";
import { describePath } from "./element.ts";
import type { FieldPath } from "./element.ts";
import { ownerId } from "./owner.ts";
import type { OwnerName } from "./owner.ts";

/** A field that an applied configuration would change and that somebody else owns. */
export interface FieldConflict {
  readonly owner: OwnerName;
  readonly path: FieldPath;
}

/** The conflict for `details.causes` of a Status. */
export function conflictCause(conflict: FieldConflict): {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
} {
  return {
    reason: "FieldManagerConflict",
    message: `conflict with ${describeOwner(conflict.owner)}`,
    field: describePath(conflict.path),
  };
}

/** All conflicts in one text: who owns what. */
export function describeConflicts(conflicts: readonly FieldConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${describeOwner(first.owner)}: ${describePath(first.path)}`;
  }
  const byOwner = Map.groupBy(conflicts, ({ owner }) => ownerId(owner));
  const lines = [...byOwner]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([, same]) => [
      ...same.slice(0, 1).map(({ owner }) => `conflicts with ${describeOwner(owner)}:`),
      ...same.map(({ path }) => `- ${describePath(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeOwner(owner: OwnerName): string {
  const { manager, subresource, operation, apiVersion } = owner;
  const through = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
