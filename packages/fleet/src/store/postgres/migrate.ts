import { toError } from "@levelset/core/internal";
import type { Client } from "pg";
import { POSTGRES_DIALECT } from "../dialect.ts";
import { StoreUnavailableError, StoreUnusableError } from "../store-errors.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../migrations.ts";
import type { MigrationResult } from "../migrations.ts";
import { optionalInteger } from "../sql-row.ts";
import type { SqlRow, Statement } from "../sql-row.ts";
import { clientConfig, schemaOf } from "./connection.ts";
import type { PostgresConfig } from "./connection.ts";
import { postgresFailureOf } from "./postgres-failure.ts";
import { clientFactory } from "./commit-notifications.ts";

/** Advisory lock key, the same in all versions: one process migrates at a time. */
const LOCK = 5_862_314_907;

/**
 * Migrates the tables of a database to the current version, one step per transaction. Rejects with `StoreUnusableError`
 * if the tables are newer, and with `StoreUnavailableError` if the database cannot be reached.
 */
export async function migratePostgres(config: PostgresConfig): Promise<MigrationResult> {
  const schema = schemaOf(config);
  // Building an index may take long.
  const connect = await clientFactory({ ...clientConfig(config, { statement_timeout: "0" }), query_timeout: 0 });
  const client = connect();
  client.on("error", () => {}); // a broken connection also fails the statement in flight
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)");
    const { rows } = await client.query<SqlRow>("SELECT max(version) AS version FROM schema_version");
    const from = optionalInteger(rows[0] ?? {}, "version") ?? 0;
    if (from > SCHEMA_VERSION) throw newer(from);
    for (const [index, step] of MIGRATIONS.entries())
      if (index >= from) await take(client, step(POSTGRES_DIALECT), index + 1);
    return { from, to: SCHEMA_VERSION };
  } catch (error) {
    throw migrationFailure(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function take(client: Client, step: readonly string[], version: number): Promise<void> {
  await client.query("BEGIN");
  for (const sql of step) await client.query(sql);
  await client.query("INSERT INTO schema_version (version) VALUES ($1)", [version]);
  await client.query("COMMIT");
}

/** Rejects with `StoreUnusableError` unless the tables have the current version. */
export async function requireCurrentSchema(
  rows: (statement: Statement) => Promise<readonly SqlRow[]>,
  schema: string,
): Promise<void> {
  const version = await versionIn(rows, schema);
  if (version > SCHEMA_VERSION) throw newer(version);
  if (version < SCHEMA_VERSION) {
    throw new StoreUnusableError(
      `the tables in schema ${schema} have version ${version}, but this levelset needs ${SCHEMA_VERSION}: run \`levelset fleet migrate\``,
    );
  }
}

/** Returns the schema version of the tables; 0 if there are none. */
async function versionIn(rows: (statement: Statement) => Promise<readonly SqlRow[]>, schema: string): Promise<number> {
  const table = `${schema}.schema_version`;
  const [found] = await rows({ text: "SELECT to_regclass($1)::text AS name", parameters: [table] });
  if (found?.["name"] === null || found === undefined) return 0;
  const [row = {}] = await rows({ text: `SELECT max(version) AS version FROM ${table}`, parameters: [] });
  return optionalInteger(row, "version") ?? 0;
}

function newer(version: number): StoreUnusableError {
  return new StoreUnusableError(
    `the tables were created by a newer levelset (schema ${version}, this one supports ${SCHEMA_VERSION}): upgrade levelset`,
  );
}

function migrationFailure(error: unknown): Error {
  if (error instanceof StoreUnusableError) return error;
  const failure = postgresFailureOf(error);
  const { message } = toError(error);
  if (failure === "lost") return new StoreUnavailableError(`cannot reach the database: ${message}`, { cause: error });
  if (failure === "refused")
    return new StoreUnusableError(`the database refused the connection: ${message}`, { cause: error });
  return toError(error);
}
