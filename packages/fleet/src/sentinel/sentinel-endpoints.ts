import { healthPage, openEndpoints } from "../api/index.ts";
import type { EndpointOptions, Endpoints } from "../api/index.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** Opens the endpoints of Sentinels that share their figures. Throws an InputError if a port is taken. */
export function serveSentinels(
  options: EndpointOptions,
  sentinels: readonly SentinelHealth[],
  figures: SentinelMetrics,
): Promise<Endpoints> {
  return openEndpoints(
    options,
    async (path) => {
      if (path === "/healthz" || path === "/livez") return healthPage(sentinels.flatMap((each) => each.live()));
      if (path !== "/readyz") return undefined;
      return healthPage((await Promise.all(sentinels.map((each) => each.ready()))).flat());
    },
    figures,
  );
}
