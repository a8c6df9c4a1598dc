import { InputError, TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { FleetProblem } from "@levelset/fleet/client";
import type { FleetClient, KindDescription } from "@levelset/fleet/client";
import type { Shell } from "../shell.ts";
import { COMMAND_PATIENCE, fleetClient } from "../fleet-connection.ts";
import { FLEET_ADDRESS_PATH } from "../fleet-address.ts";
import { findFleet } from "../fleet-flags.ts";
import type { FleetFlags, FleetPlace } from "../fleet-flags.ts";

/** A connection to the fleet that a command is about. */
export interface FleetSession {
  readonly client: FleetClient;
  readonly kinds: readonly KindDescription[];
  /** Aborts when somebody asks the command to stop. */
  readonly signal: AbortSignal;
}

/** Connects to a fleet for as long as the work takes. What it refuses is explained. */
export async function withFleet<Out>(
  shell: Shell,
  flags: FleetFlags,
  work: (session: FleetSession) => Promise<Out>,
): Promise<Out> {
  const place = findFleet(shell, flags);
  if (place === undefined) {
    throw new InputError("no fleet is named", {
      hint: "levelset fleet dev starts one in this directory; --fleet URL or LEVELSET_FLEET_URL names another",
    });
  }
  const client = await fleetClient(place, flags, shell, { ...COMMAND_PATIENCE, fetch: tellingFetch(place, shell) });
  const signal = shell.signal();
  try {
    return await work({ client, kinds: await client.kinds({ signal }), signal });
  } catch (error) {
    throw explainedByFleet(error, place);
  }
}

/** How long somebody waits for an answer without a word. */
const SILENT_MS = 3_000;

/** Says once that an answer takes long: a fleet whose database is away answers after half a minute. */
function tellingFetch({ url }: FleetPlace, { clock, stderr }: Shell): Fetch {
  let isTold = false;
  return async (request) => {
    const timer = clock.after(SILENT_MS, () => {
      if (!isTold) stderr(`${url} has not answered yet; waiting\n`);
      isTold = true;
    });
    try {
      return await globalThis.fetch(request);
    } finally {
      timer.cancel();
    }
  };
}

/** What a person must know who got no answer, or a refusal. */
export function explainedByFleet(error: unknown, { url, found }: FleetPlace): unknown {
  if (error instanceof TransportError) {
    const hint =
      found === FLEET_ADDRESS_PATH
        ? `start levelset fleet dev again, or remove ${found}, or name a fleet with --fleet`
        : "check the address, and whether the fleet runs";
    return new InputError(`no fleet answers at ${url}, which ${found} names`, { hint, cause: error });
  }
  if (!(error instanceof FleetProblem)) return error;
  switch (error.kind) {
    case "unauthenticated":
      return new InputError(`the fleet wants to know who you are: ${error.message}`, {
        hint: "name a file with your token with --fleet-token-file, or set LEVELSET_FLEET_TOKEN",
        cause: error,
      });
    case "busy":
    case "failed":
      return error;
    default:
      return new InputError(error.message, { cause: error });
  }
}
