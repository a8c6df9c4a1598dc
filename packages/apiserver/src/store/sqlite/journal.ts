import type { StoredRecord, StoreEvent } from "../contract.ts";
import type { StoreLimits } from "../limits.ts";
import { StoreState } from "../state.ts";
import { Version } from "../version.ts";
import { deletionOf } from "../write.ts";
import type { Database } from "./database.ts";
import { one } from "./format.ts";
import type { Position } from "./recovery.ts";
import { checksumOf, intactRow } from "./stored-row.ts";
import type { IntactRow } from "./stored-row.ts";

/** Free pages that are given back to the disk at a time. */
const VACUUM_PAGES = 256;

/**
 * The events of a store on disk. Each call is one transaction: it happens whole, and is on the disk when the call returns; or it
 * throws, and nothing of it has happened.
 */
export class Journal {
  readonly #database: Database;
  #position: Position;
  /** Whether a failure left open what the file says. */
  #isUncertain = false;

  constructor(database: Database) {
    this.#database = database;
    this.#position = positionOf(database);
  }

  /** Reads everything: what is there, and the past that is kept. Undefined when a row is damaged or missing. */
  load(limits: StoreLimits): StoreState | undefined {
    const { revision, compacted } = this.#position;
    const state = new StoreState(limits, compacted);
    let rows = 0;
    for (const row of this.#database.rows("SELECT * FROM version ORDER BY revision")) {
      const intact = intactRow(row);
      if (intact === undefined) return undefined;
      rows++;
      const version = new Version({ key: intact.key, json: intact.json ?? "", revision: intact.revision });
      if (version.revision <= compacted) {
        state.seed(version);
        continue;
      }
      const event = eventOf(intact, version, state.get(version.key));
      if (event === undefined || version.revision !== state.revision + 1) return undefined;
      state.apply(event);
    }
    const known = one(this.#database, "SELECT count(*) AS count FROM lineage")["count"];
    return state.revision === revision && rows === known ? state : undefined;
  }

  /** Adds events, and lets go of the past up to `oldest`. */
  append(events: readonly StoreEvent[], oldest: number): void {
    const revision = events.at(-1)?.revision ?? this.#position.revision;
    this.#transaction({ revision, compacted: Math.max(oldest, this.#position.compacted) }, (compacted) => {
      this.#compact(compacted);
      for (const event of events) this.#insert(event);
    });
  }

  /** Lets go of the whole past, for the sake of room. */
  forget(): void {
    const { revision } = this.#position;
    this.#transaction({ revision, compacted: revision }, (compacted) => this.#compact(compacted));
  }

  /** Records a deletion by leaving no trace of the object or of the past: needs no room. */
  erase(event: Extract<StoreEvent, { kind: "deleted" }>): void {
    const { revision } = event;
    this.#transaction({ revision, compacted: revision }, () => {
      this.#compact(this.#position.revision);
      this.#database.run("DELETE FROM version WHERE revision = ?", event.previous.revision);
    });
  }

  /** Moves what was written into the main file, so that the space of the log can be used again. */
  checkpoint(): void {
    this.#database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Gives space back to the disk once a good part of the file is free, a little at a time. */
  vacuum(): void {
    const free = Number(one(this.#database, "PRAGMA freelist_count")["freelist_count"]);
    const pages = Number(one(this.#database, "PRAGMA page_count")["page_count"]);
    if (free < VACUUM_PAGES || free * 4 < pages) return;
    this.#database.run(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
  }

  close(): void {
    this.#database.close();
  }

  #insert(event: StoreEvent): void {
    const { resource, namespace, name } = event.record.key;
    const previous = event.kind === "created" ? null : event.previous.revision;
    // What a deletion shows follows from the version before it.
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

  /** Drops the events up to a revision: versions that were replaced by them go, and deletions leave nothing. */
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
      // The failure came after the fact.
      this.#isUncertain = false;
    }
    this.#position = target;
  }

  /** After a failure: makes sure that the file is where we think it is. */
  #settle(): void {
    if (!this.#isUncertain) return;
    if (!isSame(this.#actual(), this.#position)) throw new Error("the file is at another revision than its store");
    this.#isUncertain = false;
  }

  #actual(): Position {
    if (this.#database.isTransaction) this.#database.run("ROLLBACK");
    return positionOf(this.#database);
  }
}

/** How far a file has come. */
export function positionOf(database: Database): Position {
  const row = one(database, "SELECT revision, compacted FROM position");
  return { revision: Number(row["revision"]), compacted: Number(row["compacted"]) };
}

function isSame(a: Position, b: Position): boolean {
  return a.revision === b.revision && a.compacted === b.compacted;
}

/** The event in a row, after what was there before it; undefined when that is not what the row follows. */
function eventOf(row: IntactRow, record: Version, previous: StoredRecord | undefined): StoreEvent | undefined {
  if ((previous?.revision ?? null) !== row.previous) return undefined;
  const { revision } = record;
  if (previous === undefined) return { kind: "created", revision, record };
  return row.kind === "deleted" ? deletionOf(previous, revision) : { kind: "updated", revision, record, previous };
}
