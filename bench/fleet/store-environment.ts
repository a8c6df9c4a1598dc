import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoreConfig } from "@levelset/fleet";
import pg from "pg";
import { POSTGRES_PASSWORD, startPostgres } from "../../tests/support/postgres-server.ts";
import type { PostgresServer } from "../../tests/support/postgres-server.ts";
import { tempDirectory } from "../../tests/support/temp-directory.ts";
import { cpuMsOfAll } from "../cpu.ts";
import { PostgresRows, SqliteRows } from "./raw-rows.ts";
import type { RawRows } from "./raw-rows.ts";

/** Connections per process. */
const CONNECTIONS = 10;

/** A store for the measurements. */
export interface StoreEnvironment extends AsyncDisposable {
  readonly name: "SQLite" | "PostgreSQL";
  readonly config: StoreConfig;
  /** Whether several processes can open it. */
  readonly isShared: boolean;
  /** Opens a plain table in the same database, with the same driver. */
  openRaw(): Promise<RawRows>;
  /** Runs the maintenance that the database would run later by itself. */
  checkpoint(): Promise<void>;
  /** Returns the CPU time of the database processes. */
  cpuMs(): Promise<number>;
}

/** Creates a SQLite file in a new directory. */
export async function sqliteEnvironment(): Promise<StoreEnvironment> {
  const directory = await tempDirectory();
  return {
    name: "SQLite",
    config: { kind: "sqlite", path: join(directory.path, "fleet.db") },
    isShared: false,
    openRaw: async () => SqliteRows.open(join(directory.path, "raw.db")),
    checkpoint: async () => {},
    cpuMs: async () => 0,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Starts a PostgreSQL server that waits for the disk, as in production. */
export async function postgresEnvironment(): Promise<StoreEnvironment> {
  const server = await startPostgres();
  try {
    return await placeOn(server);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function placeOn(server: PostgresServer): Promise<StoreEnvironment> {
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
    checkpoint: async () => {
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

/** Returns the process id of the postmaster. */
async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid");
  const status = await readFile(`/proc/${rows[0]?.pid}/status`, "utf8");
  return Number(/^PPid:\s+(\d+)$/mu.exec(status)?.[1]);
}
