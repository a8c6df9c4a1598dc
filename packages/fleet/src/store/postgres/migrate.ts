import { toError } from "@levelset/core";
import type { Client } from "pg";
import { POSTGRES } from "../dialect.ts";
import { StoreUnavailable, StoreUnusable } from "../errors.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../migrations.ts";
import type { Migrated } from "../migrations.ts";
import { optionalInteger } from "../sql-row.ts";
import type { SqlRow, Statement } from "../sql-row.ts";
import { clientConfig, schemaOf } from "./connection.ts";
import type { PostgresConfig } from "./connection.ts";
import { postgresFailureOf } from "./failure.ts";
import { clientsOf } from "./signals.ts";

/** Any number, the same in every version: one process at a time migrates. */
const LOCK = 5_862_314_907;

/** Brings the tables of a database to the present version, one step at a time. Rejects with `StoreUnusable` if they are newer. */
export async function migratePostgres(config: PostgresConfig): Promise<Migrated> {
  const schema = schemaOf(config);
  // Building an index may take its time.
  const connect = await clientsOf({ ...clientConfig(config, { statement_timeout: "0" }), query_timeout: 0 });
  const client = connect();
  client.on("error", () => {}); // the statement that is under way fails with it
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)");
    const { rows } = await client.query<SqlRow>("SELECT max(version) AS version FROM schema_version");
    const from = optionalInteger(rows[0] ?? {}, "version") ?? 0;
    if (from > SCHEMA_VERSION) throw newer(from);
    for (const [index, step] of MIGRATIONS.entries()) if (index >= from) await take(client, step(POSTGRES), index + 1);
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

/** Rejects with `StoreUnusable` unless the tables are of the present version. */
export async function requirePresent(
  rows: (statement: Statement) => Promise<readonly SqlRow[]>,
  schema: string,
): Promise<void> {
  const version = await versionIn(rows, schema);
  if (version > SCHEMA_VERSION) throw newer(version);
  if (version < SCHEMA_VERSION) {
    throw new StoreUnusable(
      `the tables in the schema ${schema} are of version ${version}, and this levelset needs ${SCHEMA_VERSION}: run \`levelset fleet migrate\``,
    );
  }
}

/** Which version the tables have; 0 if there are none. */
async function versionIn(rows: (statement: Statement) => Promise<readonly SqlRow[]>, schema: string): Promise<number> {
  const table = `${schema}.schema_version`;
  const [found] = await rows({ text: "SELECT to_regclass($1)::text AS name", parameters: [table] });
  if (found?.["name"] === null || found === undefined) return 0;
  const [row = {}] = await rows({ text: `SELECT max(version) AS version FROM ${table}`, parameters: [] });
  return optionalInteger(row, "version") ?? 0;
}

function newer(version: number): StoreUnusable {
  return new StoreUnusable(
    `the tables were made by a newer levelset (schema ${version}, this one knows ${SCHEMA_VERSION})`,
  );
}

function migrationFailure(error: unknown): Error {
  if (error instanceof StoreUnusable) return error;
  const failure = postgresFailureOf(error);
  const { message } = toError(error);
  if (failure === "lost") return new StoreUnavailable(`the database cannot be reached: ${message}`, { cause: error });
  if (failure === "refused") return new StoreUnusable(`the database refuses us: ${message}`, { cause: error });
  return toError(error);
}
