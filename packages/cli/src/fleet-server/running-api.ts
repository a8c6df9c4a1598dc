import { realRandom } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { assembledApi, Maintenance } from "@levelset/fleet";
import type { FleetApiAddresses, FleetConfig, FleetStore } from "@levelset/fleet";
import { isLoopback } from "../loopback.ts";
import { version } from "../version.ts";

/** An API that listens, with what keeps its store small. */
export interface RunningApi extends AsyncDisposable {
  readonly addresses: FleetApiAddresses;
}

/** What parts of a fleet share. */
export interface FleetWorld {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts an API on a store, which stays the caller's. Throws an InputError if a port is taken. */
export async function startApi(
  config: FleetConfig,
  store: FleetStore,
  { clock, logger }: FleetWorld,
): Promise<RunningApi> {
  const { listen, health, metrics, auth, limits, retention, isTraced } = config.api;
  if (!isLoopback(listen.host) && auth.jwt === undefined) {
    logger.warn("other machines can reach the API, and nobody is asked who they are", { host: listen.host });
  }
  const world = { clock, random: realRandom, logger };
  const shared = { store, ...world };
  const api = assembledApi({
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
