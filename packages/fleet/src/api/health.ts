import { withTimeout } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { healthResponse } from "@levelset/core/http";
import type { EndpointHandler } from "@levelset/core/http";
import type { FleetStore } from "../store/index.ts";

/** The timeout of a database ping. */
const PING_MS = 2_000;

/** Dependencies of {@link fleetHealth}. */
export interface HealthSources {
  readonly store: Pick<FleetStore, "ping">;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
}

/** Returns the pages /healthz (the process runs) and /readyz (the process can serve requests). */
export function fleetHealth(sources: HealthSources): EndpointHandler {
  return async (path) => {
    if (path === "/healthz" || path === "/livez") return healthResponse([]);
    if (path !== "/readyz") return undefined;
    if (sources.isDraining()) return healthResponse(["the server is closing"]);
    return healthResponse((await isReachable(sources)) ? [] : ["the database does not respond"]);
  };
}

/** Returns true if the database responds within the timeout. */
async function isReachable({ store, clock }: HealthSources): Promise<boolean> {
  return withTimeout({ clock, ms: PING_MS }, store.ping()).then(
    () => true,
    () => false,
  );
}
