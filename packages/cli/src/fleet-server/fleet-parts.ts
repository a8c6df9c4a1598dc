import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, realRandom, toError } from "@levelset/core";
import { migrateStore, openBroker, openStore, StoreUnavailable, StoreUnusable } from "@levelset/fleet";
import type { Broker, FleetConfig, FleetStore, Migrated } from "@levelset/fleet";
import { commandLogger } from "../log.ts";
import type { Shell } from "../shell.ts";
import type { FleetWorld } from "./running-api.ts";

/** The world of a fleet's process, as its configuration wants it. */
export async function fleetWorld(
  { log }: Pick<FleetConfig, "log">,
  verbose: boolean,
  shell: Shell,
): Promise<FleetWorld> {
  return { clock: shell.clock, logger: await commandLogger(shell, { ...log, verbose }) };
}

/** Opens the store of a configuration. Throws an InputError if it cannot be used. */
export function openFleetStore(config: FleetConfig, world: FleetWorld): Promise<FleetStore> {
  return atStore(config, () => openStore(config.store, { ...world, random: realRandom }));
}

/** Brings the tables of a store to this version. Throws an InputError if it cannot be used. */
export function migrateFleetStore(config: FleetConfig, world: FleetWorld): Promise<Migrated> {
  return atStore(config, () => migrateStore(config.store, { ...world, random: realRandom }));
}

async function atStore<Out>({ store }: FleetConfig, work: () => Promise<Out>): Promise<Out> {
  try {
    if (store.kind === "sqlite" && store.path !== ":memory:") {
      // Specs may hold what only their owner should read.
      mkdirSync(dirname(store.path), { recursive: true, mode: 0o700 });
    }
    return await work();
  } catch (error) {
    const isPlace = error instanceof Error && "syscall" in error;
    if (!(isPlace || error instanceof StoreUnusable || error instanceof StoreUnavailable)) throw error;
    throw new InputError(`the store cannot be used: ${error.message}`, {
      hint: "levelset fleet config tells which store it is, and what told so",
      cause: error,
    });
  }
}

/** Opens the broker of a configuration, for as long as the signal lasts. */
export async function openFleetBroker(
  { broker }: FleetConfig,
  world: FleetWorld,
  signal: AbortSignal,
): Promise<Broker> {
  try {
    return await openBroker(broker, { ...world, random: realRandom, signal });
  } catch (error) {
    throw new InputError(`the broker cannot be reached: ${toError(error).message}`, {
      hint: "levelset fleet config tells which broker it is, and what told so",
      cause: error,
    });
  }
}
