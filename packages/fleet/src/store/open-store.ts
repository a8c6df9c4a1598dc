import { unreachable } from "@levelset/core";
import type { Migrated } from "./migrations.ts";
import { SqlStore } from "./sql-store.ts";
import { SqliteEngine } from "./sqlite/sqlite-engine.ts";
import type { StoreConfig, StoreWorld } from "./store-config.ts";
import type { FleetStore } from "./store.ts";

/**
 * Opens a store. A file of SQLite is brought to the present tables by itself. Rejects with `StoreUnusable` if the database is there but is not for us, with
 * `StoreUnavailable` if it is not there.
 */
export async function openStore(config: StoreConfig, world: StoreWorld): Promise<FleetStore> {
  switch (config.kind) {
    case "sqlite":
      return new SqlStore(await SqliteEngine.open({ path: config.path, logger: world.logger }), world);
    case "postgres": {
      if (config.migrate === true) await migrateStore(config, world);
      // Loaded when it is needed: with SQLite it is not.
      const { PostgresEngine } = await import("./postgres/postgres-engine.ts");
      return new SqlStore(await PostgresEngine.open(config, world), world);
    }
    default:
      return unreachable(config);
  }
}

/**
 * Brings the tables of a store to the present version, from whichever version of ours, and says from which. Safe to be run by several processes at once. Rejects
 * as `openStore` does.
 */
export async function migrateStore(config: StoreConfig, world: StoreWorld): Promise<Migrated> {
  switch (config.kind) {
    case "sqlite": {
      const engine = await SqliteEngine.open({ path: config.path, logger: world.logger });
      await engine.close();
      return engine.migrated;
    }
    case "postgres": {
      const { migratePostgres } = await import("./postgres/migrate.ts");
      return migratePostgres(config);
    }
    default:
      return unreachable(config);
  }
}
