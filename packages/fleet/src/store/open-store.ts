import { unreachable } from "@levelset/core/internal";
import type { MigrationResult } from "./migrations.ts";
import { SqlStore } from "./sql-store.ts";
import { SqliteEngine } from "./sqlite/sqlite-engine.ts";
import type { StoreConfig, StoreWorld } from "./store-config.ts";
import type { FleetStore } from "./fleet-store.ts";

/**
 * Opens a store. A SQLite file is migrated automatically. Rejects with `StoreUnusableError` if the database exists but
 * cannot be used, and with `StoreUnavailableError` if it cannot be reached.
 */
export async function openStore(config: StoreConfig, world: StoreWorld): Promise<FleetStore> {
  switch (config.kind) {
    case "sqlite":
      return new SqlStore(await SqliteEngine.open({ path: config.path, logger: world.logger }), world);
    case "postgres": {
      if (config.migrate === true) await migrateStore(config, world);
      // Loaded on demand: not needed with SQLite.
      const { PostgresEngine } = await import("./postgres/postgres-engine.ts");
      return new SqlStore(await PostgresEngine.open(config, world), world);
    }
    default:
      return unreachable(config);
  }
}

/**
 * Migrates the tables of a store to the current version and returns the versions before and after. Safe to run in
 * several processes at once. Rejects like `openStore`.
 */
export async function migrateStore(config: StoreConfig, world: StoreWorld): Promise<MigrationResult> {
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
