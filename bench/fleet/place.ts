import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoreConfig } from "@levelset/fleet";
import pg from "pg";
import { POSTGRES_PASSWORD, startPostgres } from "../../tests/support/postgres-server.ts";
import type { PostgresServer } from "../../tests/support/postgres-server.ts";
import { scratch } from "../../tests/support/scratch.ts";
import { cpuMsOfAll } from "../cpu.ts";
import { PostgresRows, SqliteRows } from "./raw-rows.ts";
import type { RawRows } from "./raw-rows.ts";

/** How many connections everybody has. */
const CONNECTIONS = 10;

/** Where a fleet is while it is measured. */
export interface Place extends AsyncDisposable {
  readonly name: "SQLite" | "PostgreSQL";
  readonly config: StoreConfig;
  /** Whether several processes can have it at once. */
  readonly isShared: boolean;
  /** The same database without anything of ours: a table, and the driver. */
  openRaw(): Promise<RawRows>;
  /** Does what the database does by itself sooner or later after much was written. */
  settle(): Promise<void>;
  /** The CPU time of the database's own processes. */
  cpuMs(): Promise<number>;
}

/** A file in a new directory. */
export async function sqlitePlace(): Promise<Place> {
  const directory = await scratch();
  return {
    name: "SQLite",
    config: { kind: "sqlite", path: join(directory.path, "fleet.db") },
    isShared: false,
    openRaw: async () => SqliteRows.open(join(directory.path, "raw.db")),
    settle: async () => {},
    cpuMs: async () => 0,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** A server of its own, which waits for the disk as in production. */
export async function postgresPlace(): Promise<Place> {
  const server = await startPostgres();
  try {
    return await placeOn(server);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function placeOn(server: PostgresServer): Promise<Place> {
  const address = new URL(server.url);
  address.password = POSTGRES_PASSWORD;
  const pool = new pg.Pool({ connectionString: address.href, max: CONNECTIONS });
  const config = { url: server.url, password: POSTGRES_PASSWORD, connectionsMax: CONNECTIONS, migrate: true } as const;
  const pid = await postmasterOf(pool);
  return {
    name: "PostgreSQL",
    config: { kind: "postgres", ...config },
    isShared: true,
    openRaw: () => PostgresRows.open(pool),
    settle: async () => {
      await pool.query("VACUUM ANALYZE");
      await pool.query("CHECKPOINT");
    },
    cpuMs: () => cpuMsOfAll(pid),
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The process that all others of the server are children of. */
async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid");
  const status = await readFile(`/proc/${rows[0]?.pid}/status`, "utf8");
  return Number(/^PPid:\s+(\d+)$/mu.exec(status)?.[1]);
}
