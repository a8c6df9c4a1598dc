import { compareTexts } from "../json/index.ts";

/**
 * How much a change can hurt. Breaking: objects, or programs that worked, stop working. Risky: they go on, but may mean or see
 * something else. Compatible: nobody notices who does not look.
 */
export type ChangeSeverity = "breaking" | "risky" | "compatible";

/** One thing that differs between two definitions of a kind, and what to do about it. */
export interface CrdChange {
  readonly severity: ChangeSeverity;
  /** The version that it is about; undefined for the definition as a whole. */
  readonly version: string | undefined;
  /** The field of the objects, such as `spec.items[*].name`, or of the definition; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** A change before it is known in which version. */
export type SchemaChange = Omit<CrdChange, "version">;

const RANK: Readonly<Record<ChangeSeverity, number>> = { breaking: 0, risky: 1, compatible: 2 };

/** The worst first, then by version (the definition as a whole, then in the given order), path and message. */
export function orderChanges(changes: readonly CrdChange[], versions: readonly string[]): readonly CrdChange[] {
  const place = ({ version }: CrdChange): number => (version === undefined ? -1 : versions.indexOf(version));
  return changes.toSorted(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      place(a) - place(b) ||
      compareTexts(a.path, b.path) ||
      compareTexts(a.message, b.message),
  );
}
