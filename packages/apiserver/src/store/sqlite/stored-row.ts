import { crc32 } from "node:zlib";
import type { StoreKey } from "../contract.ts";
import { sqliteFailureOf } from "./database.ts";
import type { Database, SqlRow } from "./database.ts";

/** A row whose checksum fits: what was written. */
export interface IntactRow {
  readonly revision: number;
  readonly kind: "created" | "updated" | "deleted";
  readonly key: StoreKey;
  /** The version that it replaced; null for a new object. */
  readonly previous: number | null;
  /** Null for a deletion. */
  readonly json: string | null;
  readonly checksum: number;
}

/** A row that is not what was written, and the columns that can be read. Each of them may be wrong. */
export interface DamagedRow {
  readonly revision: number;
  readonly columns: SqlRow;
  readonly reason: string;
}

/** The rows of a file in the order of their revisions, as far as they can be read. */
export interface StoredRows {
  readonly intact: readonly IntactRow[];
  readonly damaged: readonly DamagedRow[];
}

/** The checksum of a row. */
export function checksumOf(fields: readonly unknown[]): number {
  return crc32(JSON.stringify(fields));
}

/** The row, if it is what was written. */
export function intactRow(row: SqlRow): IntactRow | undefined {
  const { revision, kind, resource, namespace, name, previous, json, checksum } = row;
  if (checksumOf([revision, kind, resource, namespace, name, previous, json]) !== checksum) return undefined;
  // The checksum vouches for what the columns hold.
  return {
    revision: Number(revision),
    kind: String(kind) as IntactRow["kind"],
    key: { resource: String(resource), namespace: String(namespace), name: String(name) },
    previous: previous === null ? null : Number(previous),
    json: json === null ? null : String(json),
    checksum,
  };
}

const COLUMNS = ["kind", "resource", "namespace", "name", "previous", "json", "checksum"];

/**
 * Reads all rows, so that one that cannot be read hides no other. Throws what SQLite throws when not even the keys can be read.
 */
export function readRows(database: Database): StoredRows {
  const found = scan(database) ?? readOneByOne(database);
  const intact = found.filter((row): row is IntactRow => !("reason" in row));
  const damaged = found.filter((row): row is DamagedRow => "reason" in row);
  return { intact: intact.toSorted(byRevision), damaged: damaged.toSorted(byRevision) };
}

/** From end to end: finds rows also where they are out of order. Undefined when SQLite cannot read one of them. */
function scan(database: Database): readonly (IntactRow | DamagedRow)[] | undefined {
  const rows = unlessDamaged(() => [...database.rows("SELECT * FROM version")]);
  return rows?.map((row) => {
    return intactRow(row) ?? { revision: Number(row["revision"]), columns: row, reason: "the checksum does not fit" };
  });
}

function readOneByOne(database: Database): readonly (IntactRow | DamagedRow)[] {
  const seen = new Set<number>();
  // As text: a damaged key may be larger than any number of JavaScript.
  const keys = [...database.rows("SELECT CAST(revision AS TEXT) AS revision FROM version")];
  return keys.map(({ revision: text }) => {
    const revision = Number(text);
    const isUsable = Number.isSafeInteger(revision) && !seen.has(revision);
    seen.add(revision);
    return isUsable ? readRow(database, revision) : { revision, columns: {}, reason: "the key of the row is damaged" };
  });
}

function byRevision(a: { readonly revision: number }, b: { readonly revision: number }): number {
  return a.revision - b.revision;
}

function readRow(database: Database, revision: number): IntactRow | DamagedRow {
  const whole = unlessDamaged(() => [...database.rows("SELECT * FROM version WHERE revision = ?", revision)][0]);
  if (whole !== undefined) {
    return intactRow(whole) ?? { revision, columns: whole, reason: "the checksum does not fit" };
  }
  const columns = COLUMNS.map((name) => {
    const sql = `SELECT ${name} AS value FROM version WHERE revision = ?`;
    return [name, unlessDamaged(() => [...database.rows(sql, revision)][0]?.["value"])] as const;
  });
  return unreadable(revision, Object.fromEntries(columns.filter(([, value]) => value !== undefined)));
}

function unreadable(revision: number, columns: Readonly<Record<string, unknown>>): DamagedRow {
  // What SQLite gave, without the columns that it did not give.
  return { revision, columns: columns as SqlRow, reason: "SQLite cannot read the row" };
}

/** Returns what `read` returns, or undefined where the damage of a file makes that impossible. */
export function unlessDamaged<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    // A damaged number may be too large for JavaScript.
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
    if (isTooLarge || sqliteFailureOf(error) === "damaged") return undefined;
    throw error;
  }
}
