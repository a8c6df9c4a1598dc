import type { JsonObject } from "@levelset/core";
import { healthResponse, openProcessEndpoints } from "@levelset/core/http";
import type { ProcessEndpointOptions, ProcessEndpoints } from "@levelset/core/http";
import type { Broker } from "../../broker/index.ts";
import type { AdapterMetrics } from "./adapter-metrics.ts";

/** Options of {@link serveAdapter}. */
export interface AdapterEndpointOptions extends ProcessEndpointOptions {
  readonly registry: AdapterMetrics;
  readonly broker: Broker;
  /** Content of `/config`, without secrets. */
  readonly redactedConfig: JsonObject;
}

/**
 * Opens the HTTP endpoints of an adapter. It is live while it responds, and ready while it can receive pulses. Throws
 * an InputError if a port is in use.
 */
export function serveAdapter({
  broker,
  redactedConfig,
  registry,
  ...options
}: AdapterEndpointOptions): Promise<ProcessEndpoints> {
  return openProcessEndpoints(
    options,
    async (path) => {
      if (path === "/healthz") return healthResponse([]);
      if (path === "/config") return [200, redactedConfig];
      if (path !== "/readyz") return undefined;
      const health = await broker.health();
      return healthResponse(health.kind === "up" ? [] : [health.reason]);
    },
    registry,
  );
}
