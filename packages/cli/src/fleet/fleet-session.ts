import { InputError, TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { FleetApiError } from "@levelset/fleet/client";
import type { FleetClient, KindDescription } from "@levelset/fleet/client";
import type { Shell } from "../terminal/index.ts";
import { COMMAND_TIMEOUTS, fleetClient } from "./fleet-connection.ts";
import { findFleet, FLEET_ADDRESS_PATH } from "../fleet-location/index.ts";
import type { FleetFlags, FleetLocation } from "../fleet-location/index.ts";

/** A connection to the selected fleet. */
export interface FleetSession {
  readonly client: FleetClient;
  readonly kinds: readonly KindDescription[];
  /** Aborts when the command is stopped. */
  readonly signal: AbortSignal;
}

/** Runs `work` with a connection to the fleet. Errors of the fleet become InputErrors with hints. */
export async function withFleet<Out>(
  shell: Shell,
  flags: FleetFlags,
  work: (session: FleetSession) => Promise<Out>,
): Promise<Out> {
  const location = findFleet(shell, flags);
  if (location === undefined) {
    throw new InputError("no fleet is configured", {
      hint: "start one with levelset fleet dev, or pass --fleet URL or LEVELSET_FLEET_URL",
    });
  }
  const client = await fleetClient(location, flags, shell, {
    ...COMMAND_TIMEOUTS,
    fetch: loggingFetch(location, shell),
  });
  const signal = shell.signal();
  try {
    return await work({ client, kinds: await client.kinds({ signal }), signal });
  } catch (error) {
    throw explainFleetError(error, location);
  }
}

/** Delay until a notice about a slow response is printed. */
const SLOW_RESPONSE_MS = 3_000;

/** Prints one notice if a response is slow, for example while the fleet's database is unavailable. */
function loggingFetch({ url }: FleetLocation, { clock, stderr }: Shell): Fetch {
  let isReported = false;
  return async (request) => {
    const timer = clock.after(SLOW_RESPONSE_MS, () => {
      if (!isReported) stderr(`${url} has not responded yet; waiting\n`);
      isReported = true;
    });
    try {
      return await globalThis.fetch(request);
    } finally {
      timer.cancel();
    }
  };
}

/** Converts connection and authentication errors to InputErrors with hints. */
export function explainFleetError(error: unknown, { url, foundIn }: FleetLocation): unknown {
  if (error instanceof TransportError) {
    const hint =
      foundIn === FLEET_ADDRESS_PATH
        ? `run levelset fleet dev again, remove ${foundIn}, or pass --fleet URL`
        : "check the URL and that the fleet is running";
    return new InputError(`cannot reach the fleet at ${url} (from ${foundIn})`, { hint, cause: error });
  }
  if (!(error instanceof FleetApiError)) return error;
  switch (error.kind) {
    case "unauthenticated":
      return new InputError(`authentication required: ${error.message}`, {
        hint: "pass a token with --fleet-token-file or LEVELSET_FLEET_TOKEN",
        cause: error,
      });
    case "busy":
    case "failed":
      return error;
    default:
      return new InputError(error.message, { cause: error });
  }
}
