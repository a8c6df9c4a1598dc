import type { StoredRecord, StoreEvent } from "../store.ts";
import type { StoreLimits } from "../limits.ts";
import { StoreState } from "../state.ts";
import { ObjectVersion } from "../object-version.ts";
import { deletionEvent } from "../write.ts";
import type { SqliteConnection } from "./database.ts";
import { singleRow } from "./file-format.ts";
import type { Position } from "./recovery.ts";
import { checksumOf, intactRow } from "./stored-row.ts";
import type { IntactRow } from "./stored-row.ts";

/** Maximum number of free pages released per vacuum. */
const VACUUM_PAGES = 256;

/**
 * The events of a store on disk. Each writing call is one transaction: it is durable when the call returns; if the call
 * throws, the file is unchanged.
 */
export class Journal {
  readonly #database: SqliteConnection;
  #position: Position;
  /** Whether a failed transaction left the position of the file unknown. */
  #isUncertain = false;

  constructor(database: SqliteConnection) {
    this.#database = database;
    this.#position = positionOf(database);
  }

  /** Loads the objects and the history. Returns undefined if a row is damaged or missing. */
  load(limits: StoreLimits): StoreState | undefined {
    const { revision, compacted } = this.#position;
    const state = new StoreState(limits, compacted);
    let rows = 0;
    for (const row of this.#database.rows("SELECT * FROM version ORDER BY revision")) {
      const intact = intactRow(row);
      if (intact === undefined) return undefined;
      rows++;
      const version = new ObjectVersion({ key: intact.key, json: intact.json ?? "", revision: intact.revision });
      if (version.revision <= compacted) {
        state.restore(version);
        continue;
      }
      const event = eventOf(intact, version, state.get(version.key));
      if (event === undefined || version.revision !== state.revision + 1) return undefined;
      state.apply(event);
    }
    const known = singleRow(this.#database, "SELECT count(*) AS count FROM lineage")["count"];
    return state.revision === revision && rows === known ? state : undefined;
  }

  /** Appends events and compacts the history up to `oldest`. */
  append(events: readonly StoreEvent[], oldest: number): void {
    const revision = events.at(-1)?.revision ?? this.#position.revision;
    this.#transaction({ revision, compacted: Math.max(oldest, this.#position.compacted) }, (compacted) => {
      this.#compact(compacted);
      for (const event of events) this.#insert(event);
    });
  }

  /** Compacts the whole history to free space. */
  truncate(): void {
    const { revision } = this.#position;
    this.#transaction({ revision, compacted: revision }, (compacted) => this.#compact(compacted));
  }

  /** Stores a deletion by removing the object's row and the whole history, which needs no additional space. */
  erase(event: Extract<StoreEvent, { kind: "deleted" }>): void {
    const { revision } = event;
    this.#transaction({ revision, compacted: revision }, () => {
      this.#compact(this.#position.revision);
      this.#database.run("DELETE FROM version WHERE revision = ?", event.previous.revision);
    });
  }

  /** Moves the WAL into the main file and truncates it. */
  checkpoint(): void {
    this.#database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Releases up to 256 free pages to the file system if at least a quarter of the file is free. */
  vacuum(): void {
    const free = Number(singleRow(this.#database, "PRAGMA freelist_count")["freelist_count"]);
    const pages = Number(singleRow(this.#database, "PRAGMA page_count")["page_count"]);
    if (free < VACUUM_PAGES || free * 4 < pages) return;
    this.#database.run(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
  }

  close(): void {
    this.#database.close();
  }

  #insert(event: StoreEvent): void {
    const { resource, namespace, name } = event.record.key;
    const previous = event.kind === "created" ? null : event.previous.revision;
    // The last state of a deleted object is reconstructed from its previous version.
    const json = event.kind === "deleted" ? null : event.record.json;
    const { revision, kind } = event;
    this.#database.run(
      "INSERT INTO version (revision, kind, resource, namespace, name, previous, json, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      revision,
      kind,
      resource,
      namespace,
      name,
      previous,
      json,
      checksumOf([revision, kind, resource, namespace, name, previous, json]),
    );
  }

  /** Compacts the history up to a revision: deletes superseded versions and deletion rows. */
  #compact(to: number): void {
    const from = this.#position.compacted;
    if (to <= from) return;
    this.#database.run(
      "DELETE FROM version WHERE revision IN (SELECT previous FROM version WHERE revision > ? AND revision <= ?)",
      from,
      to,
    );
    this.#database.run("DELETE FROM version WHERE kind = 'deleted' AND revision > ? AND revision <= ?", from, to);
  }

  #transaction(target: Position, change: (compacted: number) => void): void {
    this.#settle();
    try {
      this.#database.run("BEGIN IMMEDIATE");
      change(target.compacted);
      this.#database.run("UPDATE position SET revision = ?, compacted = ?", target.revision, target.compacted);
      this.#database.run("COMMIT");
    } catch (error) {
      this.#isUncertain = true;
      if (!isSame(this.#actual(), target)) {
        this.#settle();
        throw error;
      }
      // COMMIT took effect although it reported a failure.
      this.#isUncertain = false;
    }
    this.#position = target;
  }

  /** After a failure, verifies that the file is at the expected position. Throws if it is not. */
  #settle(): void {
    if (!this.#isUncertain) return;
    if (!isSame(this.#actual(), this.#position))
      throw new Error("the data file and the store are at different revisions");
    this.#isUncertain = false;
  }

  #actual(): Position {
    if (this.#database.isTransaction) this.#database.run("ROLLBACK");
    return positionOf(this.#database);
  }
}

/** Reads the position of a file. */
export function positionOf(database: SqliteConnection): Position {
  const row = singleRow(database, "SELECT revision, compacted FROM position");
  return { revision: Number(row["revision"]), compacted: Number(row["compacted"]) };
}

function isSame(a: Position, b: Position): boolean {
  return a.revision === b.revision && a.compacted === b.compacted;
}

/** Returns the event of a row; undefined if the row does not refer to the object's previous version. */
function eventOf(row: IntactRow, record: ObjectVersion, previous: StoredRecord | undefined): StoreEvent | undefined {
  if ((previous?.revision ?? null) !== row.previous) return undefined;
  const { revision } = record;
  if (previous === undefined) return { kind: "created", revision, record };
  return row.kind === "deleted" ? deletionEvent(previous, revision) : { kind: "updated", revision, record, previous };
}
