import type { JsonObject } from "@levelset/core";
import { healthPage, openEndpoints } from "../../api/index.ts";
import type { EndpointOptions, Endpoints } from "../../api/index.ts";
import type { Broker } from "../../broker/index.ts";
import type { AdapterMetrics } from "./adapter-metrics.ts";

/** Where an adapter answers questions about itself, and what. */
export interface AdapterEndpointOptions extends EndpointOptions {
  readonly figures: AdapterMetrics;
  readonly broker: Broker;
  /** What `/config` shows; nothing secret. */
  readonly shown: JsonObject;
}

/** Opens the endpoints of an adapter. It lives as long as it answers; it is ready when pulses can reach it. Throws an InputError if a port is taken. */
export function serveAdapter({ broker, shown, figures, ...options }: AdapterEndpointOptions): Promise<Endpoints> {
  return openEndpoints(
    options,
    async (path) => {
      if (path === "/healthz") return healthPage([]);
      if (path === "/config") return [200, shown];
      if (path !== "/readyz") return undefined;
      const health = await broker.health();
      return healthPage(health.kind === "up" ? [] : [health.reason]);
    },
    figures,
  );
}
