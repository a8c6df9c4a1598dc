import type { QuarantinedRow, StoreKey } from "../store.ts";
import type { DamagedRow, IntactRow, StoredRows } from "./stored-row.ts";

/** The latest revision of a file, and the revision after which its history is complete. */
export interface Position {
  readonly revision: number;
  readonly compacted: number;
}

/** Content of a data file. */
export interface FileContent extends StoredRows {
  readonly position: Position;
  /** Revision of each row → its object. Stored in a separate table, so that damaged rows can be identified. */
  readonly lineage: ReadonlyMap<number, StoreKey>;
}

/** Recovery plan of a file with damaged rows. */
export type Recovery =
  /** Not recoverable: the object of a lost row is unknown, so any object may be outdated. */
  | { readonly kind: "beyond"; readonly why: string }
  | {
      readonly kind: "quarantine";
      /** The history is complete after this revision. */
      readonly compacted: number;
      /** Rows to serve. */
      readonly rows: readonly IntactRow[];
      readonly quarantined: readonly QuarantinedRow[];
      /** Whether the lineage lists every intact row, so that missing rows can be detected. */
      readonly isComplete: boolean;
    };

/** A version whose row is damaged or missing. */
interface Lost {
  readonly revision: number;
  readonly row: DamagedRow | undefined;
}

/**
 * Plans which rows of a damaged file to serve. An object whose latest version is lost is not served, because an older
 * version would undo an acknowledged write or deletion. Watches can start only after the last lost version. Pure.
 */
export function planRecovery(content: FileContent): Recovery {
  const { position, intact, lineage } = content;
  const last = intact.at(-1)?.revision ?? 0;
  if (last > position.revision) {
    return { kind: "beyond", why: `its rows end at revision ${last} instead of ${position.revision}` };
  }
  const lost = lostVersions(content);
  if (lost === undefined)
    return { kind: "beyond", why: `too many rows before revision ${position.revision} are missing` };
  const past = new Past(content);
  const quarantined: QuarantinedRow[] = [];
  for (const version of lost) {
    const keys = past.keysOf(version);
    if (keys === undefined) {
      const why = `revision ${version.revision} is lost, and the object that it changed is unknown`;
      return { kind: "beyond", why };
    }
    quarantined.push(...past.entries(version, keys));
  }
  const hidden = quarantined.flatMap(({ state, key }) => (state === "lost" && key !== undefined ? [idOf(key)] : []));
  const compacted = horizonOf(content, lost);
  const rows = servedRows(intact, compacted, new Set(hidden));
  const isComplete = intact.every(({ revision }) => lineage.has(revision));
  return { kind: "quarantine", compacted, rows, quarantined, isComplete };
}

/** Returns the lost versions; undefined if more versions are missing than the rows of the file can account for. */
function lostVersions({ position, intact, damaged, lineage }: FileContent): readonly Lost[] | undefined {
  const present = new Set(intact.map(({ revision }) => revision));
  const rows = new Map(damaged.map((row) => [row.revision, row]));
  const events = intact.filter(({ revision }) => revision > position.compacted).length;
  const missing = position.revision - position.compacted - events;
  if (missing > lineage.size + damaged.length + intact.length) return undefined;
  const revisions = new Set([...lineage.keys()].filter((revision) => !present.has(revision)));
  // A damaged row without lineage has a damaged key if the row of another lineage entry is missing.
  const unlistedRefs = damaged.filter(({ revision }) => !revisions.has(revision));
  if (unlistedRefs.length > revisions.size - (damaged.length - unlistedRefs.length)) {
    for (const { revision } of unlistedRefs) revisions.add(revision);
  }
  for (let revision = position.compacted + 1; revision <= position.revision; revision++) {
    if (!present.has(revision)) revisions.add(revision);
  }
  return [...revisions].toSorted((a, b) => a - b).map((revision) => ({ revision, row: rows.get(revision) }));
}

/** Derives the object of a lost version from the intact rows and the lineage. */
class Past {
  readonly #position: Position;
  readonly #lineage: ReadonlyMap<number, StoreKey>;
  readonly #byRevision: ReadonlyMap<number, IntactRow>;
  readonly #successors: ReadonlyMap<number, IntactRow>;
  /** Object → its latest intact version, deletions included. */
  readonly #latest: ReadonlyMap<string, IntactRow>;

  constructor({ position, intact, lineage }: FileContent) {
    this.#position = position;
    this.#lineage = lineage;
    this.#byRevision = new Map(intact.map((row) => [row.revision, row]));
    this.#successors = new Map(intact.flatMap((row) => (row.previous === null ? [] : [[row.previous, row] as const])));
    this.#latest = new Map(intact.map((row) => [idOf(row.key), row]));
  }

  /** Returns the quarantine entries of a lost version, one per possible object. Without keys, the object is unknown. */
  entries({ revision, row }: Lost, keys: readonly StoreKey[]): readonly QuarantinedRow[] {
    const reason = row?.reason ?? "the row is missing";
    if (keys.length === 0) return [{ revision, key: undefined, state: "lost", reason }];
    return keys.map((key): QuarantinedRow => {
      const isReplaced = (this.#latest.get(idOf(key))?.revision ?? 0) > revision;
      return { revision, key, state: isReplaced ? "superseded" : "lost", reason };
    });
  }

  /**
   * Returns the objects that a lost version may belong to. Empty: an unknown object without other rows. Undefined: an
   * unknown object whose older version may be among the intact rows.
   */
  keysOf(lost: Lost): readonly StoreKey[] | undefined {
    const known = this.#lineage.get(lost.revision) ?? this.#successors.get(lost.revision)?.key;
    return known === undefined ? this.#claimedKeys(lost) : [known];
  }

  /**
   * Derives the objects from the columns of the row, for files without lineage (format 1). Assumes one damaged column.
   */
  #claimedKeys({ revision, row }: Lost): readonly StoreKey[] | undefined {
    const claimed = claimedKey(row);
    const other = claimed === undefined ? undefined : this.#latest.get(idOf(claimed));
    const isOlder = other !== undefined && other.revision < revision;
    const isEvent = revision > this.#position.compacted && revision <= this.#position.revision;
    const previous = isEvent ? row?.columns["previous"] : null;
    // A created object. If another row has the same key and is not a successor of this one, the key is damaged.
    if (previous === null) {
      const isFree = other === undefined || (other.kind === "deleted" && isOlder);
      return claimed !== undefined && isFree ? [claimed] : [];
    }
    const before = typeof previous === "number" ? this.#byRevision.get(previous)?.key : undefined;
    if (before === undefined && !isOlder) return undefined;
    const keys = [before, isOlder ? claimed : undefined].filter((key) => key !== undefined);
    return [...new Map(keys.map((key) => [idOf(key), key])).values()];
  }
}

function claimedKey(row: DamagedRow | undefined): StoreKey | undefined {
  const { resource, namespace, name } = row?.columns ?? {};
  if (typeof resource !== "string" || typeof namespace !== "string" || typeof name !== "string") return undefined;
  return resource === "" || name === "" ? undefined : { resource, namespace, name };
}

/** Returns the revision after which no version is lost and no version replaces a lost one. */
function horizonOf({ position, intact }: FileContent, lost: readonly Lost[]): number {
  const gone = new Set(lost.map(({ revision }) => revision));
  const present = new Set(intact.map(({ revision }) => revision));
  const isCut = ({ revision, previous }: IntactRow): boolean =>
    revision > position.compacted && previous !== null && (gone.has(previous) || !present.has(previous));
  const cuts = [
    ...intact.filter(isCut).map(({ revision }) => revision),
    ...[...gone].filter((revision) => revision <= position.revision && revision > position.compacted),
  ];
  return cuts.reduce((highest, revision) => Math.max(highest, revision), position.compacted);
}

/** Returns the current rows at revision `compacted`, without hidden objects, and all later rows. */
function servedRows(
  intact: readonly IntactRow[],
  compacted: number,
  hidden: ReadonlySet<string>,
): readonly IntactRow[] {
  const present = new Map<string, IntactRow>();
  for (const row of intact) {
    if (row.revision > compacted) break;
    if (row.kind === "deleted") present.delete(idOf(row.key));
    else present.set(idOf(row.key), row);
  }
  for (const id of hidden) present.delete(id);
  const base = [...present.values()].toSorted((a, b) => a.revision - b.revision);
  return [...base, ...intact.filter(({ revision }) => revision > compacted)];
}

function idOf({ resource, namespace, name }: StoreKey): string {
  return JSON.stringify([resource, namespace, name]);
}
