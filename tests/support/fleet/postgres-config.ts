import type { StoreConfig } from "@levelset/fleet";
import { POSTGRES_PASSWORD } from "../postgres-server.ts";

/** A store in PostgreSQL. */
export type PostgresConfig = Extract<StoreConfig, { readonly kind: "postgres" }>;

let schemas = 0;

/** Returns a store configuration with a separate schema. */
export function postgresConfig(url: string): PostgresConfig {
  const schema = `fleet_${++schemas}`;
  return { kind: "postgres", url, password: POSTGRES_PASSWORD, schema, connectionsMax: 4, migrate: true };
}
