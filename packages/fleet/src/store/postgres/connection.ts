import { readFileSync } from "node:fs";
import { toError } from "@levelset/core";
import type { ClientConfig } from "pg";
import { StoreUnusable } from "../errors.ts";
import type { StoreConfig } from "../store-config.ts";

/** How to reach a PostgreSQL. */
export type PostgresConfig = Extract<StoreConfig, { readonly kind: "postgres" }>;

/** How long a statement is tried while the database is away. */
export const DEFAULT_PATIENCE_MS = 10_000;

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** The schema that the tables are in. Throws `StoreUnusable` for a name that would need quotes. */
export function schemaOf({ schema = "public" }: PostgresConfig): string {
  if (SCHEMA.test(schema)) return schema;
  throw new StoreUnusable(`the schema ${JSON.stringify(schema)} is no plain name of lower-case letters, digits and _`);
}

/** What a connection is made with. `settings` are those of the server for it. Throws `StoreUnusable`; the password is in no message. */
export function clientConfig(config: PostgresConfig, settings: Readonly<Record<string, string>> = {}): ClientConfig {
  const { url, password, patienceMs = DEFAULT_PATIENCE_MS } = config;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new StoreUnusable("the address of the database must be postgres://user@host:port/database");
  }
  // Above all `sslmode`: who asks for TLS must not get a connection without it.
  if (parsed.search !== "") throw new StoreUnusable("the address of the database takes no parameters: TLS has its own");
  const all = {
    search_path: schemaOf(config),
    statement_timeout: `${patienceMs}`,
    // On flash or in memory it costs little to go from one place to another.
    random_page_cost: "1.1",
    // Plans are kept: they must not depend on how small a table was when they were made.
    enable_seqscan: "off",
    // What is left without an index looks dear enough to be compiled, which takes longer than to run it.
    jit: "off",
    ...settings,
  };
  return {
    host: decodeURIComponent(parsed.hostname.replace(/^\[|\]$/g, "")) || "localhost",
    port: parsed.port === "" ? 5432 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: password ?? decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    ssl: tlsOf(config),
    application_name: "levelset-fleet",
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  };
}

function tlsOf({ tls }: PostgresConfig): ClientConfig["ssl"] {
  if (tls === undefined) return false;
  const { caFile, certFile, keyFile } = tls;
  return {
    rejectUnauthorized: true,
    ...(caFile === undefined ? {} : { ca: contentOf(caFile) }),
    ...(certFile === undefined ? {} : { cert: contentOf(certFile) }),
    ...(keyFile === undefined ? {} : { key: contentOf(keyFile) }),
  };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new StoreUnusable(`cannot read ${path}: ${toError(error).message}`, { cause: error });
  }
}
