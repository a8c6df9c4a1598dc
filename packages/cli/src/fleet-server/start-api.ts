import { realRandom } from "@levelset/core";
import { isLoopbackHost } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { createFleetApi } from "@levelset/fleet";
import { Maintenance } from "@levelset/fleet/server";
import type { FleetApiAddresses, FleetConfig, FleetStore } from "@levelset/fleet";
import { version } from "../process/index.ts";

/** A listening API with the retention job of its store. */
export interface RunningApi extends AsyncDisposable {
  readonly addresses: FleetApiAddresses;
}

/** Dependencies shared by the parts of a fleet. */
export interface FleetWorld {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts an API on a store, which the caller closes. Throws an InputError if a port is in use. */
export async function startApi(
  config: FleetConfig,
  store: FleetStore,
  { clock, logger }: FleetWorld,
): Promise<RunningApi> {
  const { listen, health, metrics, auth, limits, retention, isTraced } = config.api;
  if (!isLoopbackHost(listen.host) && auth.jwt === undefined) {
    logger.warn("the API is reachable from other machines without authentication", { host: listen.host });
  }
  const world = { clock, random: realRandom, logger };
  const shared = { store, ...world };
  const api = createFleetApi({
    ...shared,
    ...listen,
    kinds: config.kinds,
    version: version(),
    health,
    metrics,
    auth,
    limits,
    isTraced,
  });
  const addresses = await api.listen();
  const stop = new AbortController();
  const maintenance = new Maintenance({ ...shared, retention }).run(stop.signal);
  return {
    addresses,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await api.close();
      await maintenance;
    },
  };
}
