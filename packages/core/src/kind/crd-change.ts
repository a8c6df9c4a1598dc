import { compareCodeUnits } from "../json/index.ts";

/**
 * The impact of a change. Breaking: existing objects or programs stop working. Risky: they keep working, but may behave
 * differently or see other values. Compatible: existing objects and programs are not affected.
 */
export type ChangeSeverity = "breaking" | "risky" | "compatible";

/** A difference between two definitions of a kind, and what to do about it. */
export interface CrdChange {
  readonly severity: ChangeSeverity;
  /** The affected version; undefined for the definition as a whole. */
  readonly version: string | undefined;
  /**
   * The field of the objects, such as `spec.items[*].name`, or of the definition; empty for the definition as a whole.
   */
  readonly path: string;
  readonly message: string;
}

/** A change within one schema, before the version is known. */
export type SchemaChange = Omit<CrdChange, "version">;

const RANK: Readonly<Record<ChangeSeverity, number>> = { breaking: 0, risky: 1, compatible: 2 };

/** Sorts by severity, worst first, then by version (the definition as a whole first), path and message. */
export function orderChanges(changes: readonly CrdChange[], versions: readonly string[]): readonly CrdChange[] {
  const place = ({ version }: CrdChange): number => (version === undefined ? -1 : versions.indexOf(version));
  return changes.toSorted(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      place(a) - place(b) ||
      compareCodeUnits(a.path, b.path) ||
      compareCodeUnits(a.message, b.message),
  );
}
