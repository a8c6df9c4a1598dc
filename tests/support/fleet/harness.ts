import { realClock, realRandom } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import { createFleetApi, openStore, readKinds } from "@levelset/fleet";
import type { FleetStore, StoreConfig } from "@levelset/fleet";
import { FleetHttpClient } from "./http.ts";
import { ENTITIES } from "./running-fleet.ts";
import type { FleetSetup, RunningFleet } from "./running-fleet.ts";
import { FleetUser } from "./fleet-user.ts";

/** Any free port on the loopback interface. */
const ANY = { host: "127.0.0.1", port: 0 };

/** Opens a store with real clock and randomness. */
export function openTestStore(config: StoreConfig): Promise<FleetStore> {
  return openStore(config, { clock: realClock, random: realRandom, logger: memoryLogger().logger });
}

/** Starts an API with its own store. */
export async function startFleet(config: StoreConfig, setup: FleetSetup = {}): Promise<RunningFleet> {
  const { entities = ENTITIES, schemas, ...rest } = setup;
  const store = await openTestStore(config);
  const kinds = readKinds(entities, schemas);
  const world = { clock: realClock, random: realRandom, logger: memoryLogger().logger };
  const api = createFleetApi({ ...ANY, ...world, store, kinds, version: "test", health: ANY, metrics: ANY, ...rest });
  const { url, healthUrl = "", metricsUrl = "" } = await api.listen();
  const http = new FleetHttpClient(url);
  return {
    url,
    healthUrl,
    metricsUrl,
    kinds,
    store,
    user: new FleetUser(http),
    [Symbol.asyncDispose]: async () => {
      http[Symbol.dispose]();
      await api.close();
      await store.close();
    },
  };
}
