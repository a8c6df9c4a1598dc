import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, realRandom } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import { migrateStore, openBroker, openStore } from "@levelset/fleet";
import { BROKER_KINDS } from "@levelset/fleet/internal";
import type { Broker, FleetConfig, FleetStore, MigrationResult, BrokerConfig } from "@levelset/fleet";
import { StoreUnavailableError, StoreUnusableError } from "@levelset/fleet/server";
import { commandLogger } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import type { FleetWorld } from "./start-api.ts";

/** Returns clock, logger and random source of a fleet process, as configured. */
export async function fleetWorld(
  { log }: Pick<FleetConfig, "log">,
  verbose: boolean,
  shell: Shell,
): Promise<FleetWorld> {
  return { clock: shell.clock, logger: await commandLogger(shell, { ...log, verbose }) };
}

/** Opens the configured store. Throws an InputError if it cannot be opened. */
export function openFleetStore(config: FleetConfig, world: FleetWorld): Promise<FleetStore> {
  return withStoreErrors(config, () => openStore(config.store, { ...world, random: realRandom }));
}

/** Migrates the schema of the configured store. Throws an InputError if it cannot be opened. */
export function migrateFleetStore(config: FleetConfig, world: FleetWorld): Promise<MigrationResult> {
  return withStoreErrors(config, () => migrateStore(config.store, { ...world, random: realRandom }));
}

async function withStoreErrors<Out>({ store }: FleetConfig, work: () => Promise<Out>): Promise<Out> {
  try {
    if (store.kind === "sqlite" && store.path !== ":memory:") {
      // Specs may contain secrets.
      mkdirSync(dirname(store.path), { recursive: true, mode: 0o700 });
    }
    return await work();
  } catch (error) {
    const isFileError = error instanceof Error && "syscall" in error;
    if (!(isFileError || error instanceof StoreUnusableError || error instanceof StoreUnavailableError)) throw error;
    throw new InputError(`cannot open the store: ${error.message}`, {
      hint: "run levelset fleet config to see the store in use and where it is configured",
      cause: error,
    });
  }
}

/** Throws an InputError if other processes cannot reach the broker. The hint ends with the alternative. */
export function requireSharedBroker(
  { kind }: BrokerConfig,
  { consequence, alternative }: { readonly consequence: string; readonly alternative: string },
): void {
  if (kind !== "memory") return;
  const shared = BROKER_KINDS.filter((other) => other !== kind).join(" or ");
  throw new InputError(`broker.kind is memory, which other processes cannot reach: ${consequence}`, {
    hint: `set broker.kind to ${shared}; ${alternative}`,
  });
}

/** Opens the configured broker until the signal aborts. Throws an InputError if it cannot be reached. */
export async function openFleetBroker(
  { broker }: FleetConfig,
  world: FleetWorld,
  signal: AbortSignal,
): Promise<Broker> {
  try {
    return await openBroker(broker, { ...world, random: realRandom, signal });
  } catch (error) {
    throw new InputError(`cannot reach the broker: ${toError(error).message}`, {
      hint: "run levelset fleet config to see the broker in use and where it is configured",
      cause: error,
    });
  }
}
