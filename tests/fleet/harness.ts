import { realClock, realRandom } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import { assembledApi, openStore, readKinds } from "@levelset/fleet";
import type { FleetStore, StoreConfig } from "@levelset/fleet";
import { HttpCaller } from "./http.ts";
import { ENTITIES } from "./running-fleet.ts";
import type { FleetSetup, RunningFleet } from "./running-fleet.ts";
import { FleetUser } from "./user.ts";

/** Any free port of the loopback address. */
const ANY = { host: "127.0.0.1", port: 0 };

/** Opens a store in the real world. */
export function openTestStore(config: StoreConfig): Promise<FleetStore> {
  return openStore(config, { clock: realClock, random: realRandom, logger: memoryLogger().logger });
}

/** Starts an API on a store that it opens for itself. */
export async function startFleet(config: StoreConfig, setup: FleetSetup = {}): Promise<RunningFleet> {
  const { entities = ENTITIES, schemas, ...rest } = setup;
  const store = await openTestStore(config);
  const kinds = readKinds(entities, schemas);
  const world = { clock: realClock, random: realRandom, logger: memoryLogger().logger };
  const api = assembledApi({ ...ANY, ...world, store, kinds, version: "test", health: ANY, metrics: ANY, ...rest });
  const { url, healthUrl = "", metricsUrl = "" } = await api.listen();
  const http = new HttpCaller(url);
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
