import type { QuarantinedRow, StoreKey } from "../contract.ts";
import type { DamagedRow, IntactRow, StoredRows } from "./stored-row.ts";

/** How far a file has come, and after which revision its past is complete. */
export interface Position {
  readonly revision: number;
  readonly compacted: number;
}

/** What a file holds. */
export interface FileContent extends StoredRows {
  readonly position: Position;
  /** The revision of each row → its object: kept apart, for the case that a row is damaged. */
  readonly lineage: ReadonlyMap<number, StoreKey>;
}

/** What can be made of a file with damaged rows. */
export type Recovery =
  /** A lost row has no known object, so any object may be out of date. */
  | { readonly kind: "beyond"; readonly why: string }
  | {
      readonly kind: "quarantine";
      /** The past is complete after this revision. */
      readonly compacted: number;
      /** The rows that are served. */
      readonly rows: readonly IntactRow[];
      readonly quarantined: readonly QuarantinedRow[];
      /** Whether the lineage vouches for every row, so that none is missing without a trace. */
      readonly isComplete: boolean;
    };

/** A version that is gone: its row is damaged or missing. */
interface Lost {
  readonly revision: number;
  readonly row: DamagedRow | undefined;
}

/**
 * Decides what of a damaged file is served. An object whose latest version is lost is not: an older version would undo a write
 * that was acknowledged, and perhaps a deletion. Watches begin after the last version that is lost. Pure.
 */
export function planRecovery(content: FileContent): Recovery {
  const { position, intact, lineage } = content;
  const last = intact.at(-1)?.revision ?? 0;
  if (last > position.revision) {
    return { kind: "beyond", why: `it ends at revision ${last} instead of ${position.revision}` };
  }
  const lost = lostVersions(content);
  if (lost === undefined) return { kind: "beyond", why: `it does not reach revision ${position.revision}` };
  const past = new Past(content);
  const quarantined: QuarantinedRow[] = [];
  for (const version of lost) {
    const keys = past.keysOf(version);
    if (keys === undefined) {
      const why = `revision ${version.revision} is lost, and so is the name of the object that it changed`;
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

/** The versions that should be there; undefined when there are more of them than anything in the file explains. */
function lostVersions({ position, intact, damaged, lineage }: FileContent): readonly Lost[] | undefined {
  const present = new Set(intact.map(({ revision }) => revision));
  const rows = new Map(damaged.map((row) => [row.revision, row]));
  const events = intact.filter(({ revision }) => revision > position.compacted).length;
  const missing = position.revision - position.compacted - events;
  if (missing > lineage.size + damaged.length + intact.length) return undefined;
  const revisions = new Set([...lineage.keys()].filter((revision) => !present.has(revision)));
  // A row that the lineage does not know has a damaged key, if the lineage misses another one.
  const strays = damaged.filter(({ revision }) => !revisions.has(revision));
  if (strays.length > revisions.size - (damaged.length - strays.length)) {
    for (const { revision } of strays) revisions.add(revision);
  }
  for (let revision = position.compacted + 1; revision <= position.revision; revision++) {
    if (!present.has(revision)) revisions.add(revision);
  }
  return [...revisions].toSorted((a, b) => a - b).map((revision) => ({ revision, row: rows.get(revision) }));
}

/** What the intact rows and the lineage say of a lost version. */
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

  /** Returns the entries about a lost version of these objects. No keys: the object is unknown. */
  entries({ revision, row }: Lost, keys: readonly StoreKey[]): readonly QuarantinedRow[] {
    const reason = row?.reason ?? "the row is missing";
    if (keys.length === 0) return [{ revision, key: undefined, state: "lost", reason }];
    return keys.map((key): QuarantinedRow => {
      const isReplaced = (this.#latest.get(idOf(key))?.revision ?? 0) > revision;
      return { revision, key, state: isReplaced ? "superseded" : "lost", reason };
    });
  }

  /**
   * The objects that a lost version may be of. None: one that no other row is about. Undefined: one whose older version may be
   * among the intact rows, but nothing says which.
   */
  keysOf(lost: Lost): readonly StoreKey[] | undefined {
    const known = this.#lineage.get(lost.revision) ?? this.#successors.get(lost.revision)?.key;
    return known === undefined ? this.#claimedKeys(lost) : [known];
  }

  /** Without a lineage, as in the first format, the row's columns are all there is: one of them may be damaged, hardly all. */
  #claimedKeys({ revision, row }: Lost): readonly StoreKey[] | undefined {
    const claimed = claimedKey(row);
    const other = claimed === undefined ? undefined : this.#latest.get(idOf(claimed));
    const isOlder = other !== undefined && other.revision < revision;
    const isEvent = revision > this.#position.compacted && revision <= this.#position.revision;
    const previous = isEvent ? row?.columns["previous"] : null;
    // A new object. Where another row has its name, and does not follow this one, the name is damaged.
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

/** The revision after which no version is lost, and none follows one that is. */
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

/** The present objects at a revision, without the hidden ones, and all that came after it. */
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
