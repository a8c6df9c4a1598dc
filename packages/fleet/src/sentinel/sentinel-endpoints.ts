import { healthResponse, openProcessEndpoints } from "@levelset/core/http";
import type { ProcessEndpointOptions, ProcessEndpoints } from "@levelset/core/http";
import type { SentinelHealth } from "./sentinel-health.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** Opens the HTTP endpoints of Sentinels that share metrics. Throws an InputError if a port is in use. */
export function serveSentinels(
  options: ProcessEndpointOptions,
  sentinels: readonly SentinelHealth[],
  figures: SentinelMetrics,
): Promise<ProcessEndpoints> {
  return openProcessEndpoints(
    options,
    async (path) => {
      if (path === "/healthz" || path === "/livez") return healthResponse(sentinels.flatMap((each) => each.live()));
      if (path !== "/readyz") return undefined;
      return healthResponse((await Promise.all(sentinels.map((each) => each.ready()))).flat());
    },
    figures,
  );
}
