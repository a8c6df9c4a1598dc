import { crc32 } from "node:zlib";
import type { StoreKey } from "../store.ts";
import { classifySqliteError } from "./database.ts";
import type { SqliteConnection, SqlRow } from "./database.ts";

/** A row with a matching checksum. */
export interface IntactRow {
  readonly revision: number;
  readonly kind: "created" | "updated" | "deleted";
  readonly key: StoreKey;
  /** Revision of the replaced version; null for a new object. */
  readonly previous: number | null;
  /** Null for a deletion. */
  readonly json: string | null;
  readonly checksum: number;
}

/** A damaged row with its readable columns, any of which may be wrong. */
export interface DamagedRow {
  readonly revision: number;
  readonly columns: SqlRow;
  readonly reason: string;
}

/** The rows of a file, sorted by revision. */
export interface StoredRows {
  readonly intact: readonly IntactRow[];
  readonly damaged: readonly DamagedRow[];
}

/** Returns the CRC-32 of a row's columns. */
export function checksumOf(fields: readonly unknown[]): number {
  return crc32(JSON.stringify(fields));
}

/** Returns the parsed row; undefined if its checksum does not match. */
export function intactRow(row: SqlRow): IntactRow | undefined {
  const { revision, kind, resource, namespace, name, previous, json, checksum } = row;
  if (checksumOf([revision, kind, resource, namespace, name, previous, json]) !== checksum) return undefined;
  // The checksum matches, so the columns have the types that were written.
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

/** Reads all rows, including those around unreadable ones. Throws SQLite's error if the keys cannot be read. */
export function readRows(database: SqliteConnection): StoredRows {
  const found = scan(database) ?? readOneByOne(database);
  const intact = found.filter((row): row is IntactRow => !("reason" in row));
  const damaged = found.filter((row): row is DamagedRow => "reason" in row);
  return { intact: intact.toSorted(byRevision), damaged: damaged.toSorted(byRevision) };
}

/** Reads the whole table, which also finds rows that are out of order. Undefined if SQLite cannot read a row. */
function scan(database: SqliteConnection): readonly (IntactRow | DamagedRow)[] | undefined {
  const rows = unlessDamaged(() => [...database.rows("SELECT * FROM version")]);
  return rows?.map((row) => {
    return intactRow(row) ?? { revision: Number(row["revision"]), columns: row, reason: "checksum mismatch" };
  });
}

function readOneByOne(database: SqliteConnection): readonly (IntactRow | DamagedRow)[] {
  const seen = new Set<number>();
  // Read as text, because a damaged key may exceed the range of JavaScript numbers.
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

function readRow(database: SqliteConnection, revision: number): IntactRow | DamagedRow {
  const whole = unlessDamaged(() => [...database.rows("SELECT * FROM version WHERE revision = ?", revision)][0]);
  if (whole !== undefined) {
    return intactRow(whole) ?? { revision, columns: whole, reason: "checksum mismatch" };
  }
  const columns = COLUMNS.map((name) => {
    const sql = `SELECT ${name} AS value FROM version WHERE revision = ?`;
    return [name, unlessDamaged(() => [...database.rows(sql, revision)][0]?.["value"])] as const;
  });
  return unreadable(revision, Object.fromEntries(columns.filter(([, value]) => value !== undefined)));
}

function unreadable(revision: number, columns: Readonly<Record<string, unknown>>): DamagedRow {
  // The cast is safe: the values come from SQLite.
  return { revision, columns: columns as SqlRow, reason: "SQLite cannot read the row" };
}

/** Returns the result of `read`; undefined if it fails because the file is damaged. Rethrows other errors. */
export function unlessDamaged<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    // A damaged integer may exceed the range of JavaScript numbers.
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
    if (isTooLarge || classifySqliteError(error) === "damaged") return undefined;
    throw error;
  }
}
