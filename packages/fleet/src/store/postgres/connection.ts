import { readFileSync } from "node:fs";
import { toError } from "@levelset/core/internal";
import type { ClientConfig } from "pg";
import { StoreUnusableError } from "../store-errors.ts";
import type { StoreConfig } from "../store-config.ts";

/** Connection settings of a PostgreSQL database. */
export type PostgresConfig = Extract<StoreConfig, { readonly kind: "postgres" }>;

/** How long a statement is retried while the database is unreachable. */
export const RETRY_TIMEOUT_MS = 10_000;

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Returns the schema of the tables. Throws `StoreUnusableError` for a name that needs quotes. */
export function schemaOf({ schema = "public" }: PostgresConfig): string {
  if (SCHEMA.test(schema)) return schema;
  throw new StoreUnusableError(`invalid schema name ${JSON.stringify(schema)}: use lower-case letters, digits and _`);
}

/**
 * Returns the client configuration. `settings` are server settings of the connection. Throws `StoreUnusableError`;
 * messages never contain the password.
 */
export function clientConfig(config: PostgresConfig, settings: Readonly<Record<string, string>> = {}): ClientConfig {
  const { url, password, retryTimeoutMs = RETRY_TIMEOUT_MS } = config;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new StoreUnusableError("invalid database URL: expected postgres://user@host:port/database");
  }
  // In particular `sslmode`: a request for TLS must not result in an unencrypted connection.
  if (parsed.search !== "")
    throw new StoreUnusableError(
      "the database URL must not have query parameters: configure TLS with the TLS settings",
    );
  const all = {
    search_path: schemaOf(config),
    statement_timeout: `${retryTimeoutMs}`,
    // Random reads are cheap on SSDs and in memory.
    random_page_cost: "1.1",
    // Plans are cached and must not depend on the size of a table at planning time.
    enable_seqscan: "off",
    // Without seqscan, some plans have estimated costs above the JIT threshold, and compiling takes longer than running
    // them.
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
    connectionTimeoutMillis: retryTimeoutMs,
    query_timeout: retryTimeoutMs,
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
    throw new StoreUnusableError(`cannot read ${path}: ${toError(error).message}`, { cause: error });
  }
}
