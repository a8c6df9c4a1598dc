import { openStore } from "@levelset/fleet";
import type { FleetStore, StoreConfig } from "@levelset/fleet";
import pg from "pg";
import { clientConfig } from "../../../packages/fleet/src/store/postgres/connection.ts";
import { POSTGRES_PASSWORD, startPostgres } from "../../support/postgres-server.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";
import { WORLD } from "./harness.ts";
import type { StoreHarness } from "./harness.ts";

/** Opens stores on a separate server. */
export interface PostgresHarness extends StoreHarness {
  readonly server: PostgresServer;
  /** The configuration of the tables that `open` empties. */
  readonly config: Extract<StoreConfig, { readonly kind: "postgres" }>;
  /** Opens a connection that bypasses the store. */
  client(): Promise<pg.Client & AsyncDisposable>;
}

/** Starts a server. */
export async function startPostgresHarness(): Promise<PostgresHarness> {
  const server = await startPostgres();
  const config = { kind: "postgres", url: server.url, password: POSTGRES_PASSWORD, schema: "fleet" } as const;
  const client = async (): Promise<pg.Client & AsyncDisposable> => {
    // With the settings of the store's connections.
    const connected = new pg.Client(clientConfig(config));
    connected.on("error", () => {}); // the server may be killed
    await connected.connect();
    return Object.assign(connected, { [Symbol.asyncDispose]: () => connected.end() });
  };
  const open = async (): Promise<FleetStore> => {
    const store = await openStore({ ...config, migrate: true }, WORLD);
    // Faster than separate tables for each test.
    await using emptying = await client();
    for (const table of ["resources", "journal", "answers", "changes", "refresh_ttls"]) {
      await emptying.query(`DELETE FROM ${table}`);
    }
    await emptying.query("UPDATE trimmed SET reports_time = 0");
    return store;
  };
  return { server, config, client, open, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
