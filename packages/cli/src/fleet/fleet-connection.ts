import { realRandom } from "@levelset/core";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetClientOptions } from "@levelset/fleet/client";
import type { FleetFlags, FleetLocation } from "../fleet-location/index.ts";
import type { Shell } from "../terminal/index.ts";
import { readTokenFile } from "../files/index.ts";

/** Retry and timeout settings of a fleet client. */
export type FleetTimeouts = Pick<FleetClientOptions, "retry" | "timeoutMs" | "fetch">;

/** Retry settings of commands. */
export const COMMAND_TIMEOUTS: FleetTimeouts = { retry: { triesMax: 3, waitMaxMs: 5_000 } };

/** Returns a fleet client with the token of the flags or environment. A token file is read for each request. */
export async function fleetClient(
  { url }: FleetLocation,
  flags: FleetFlags,
  shell: Shell,
  timeouts: FleetTimeouts = COMMAND_TIMEOUTS,
): Promise<FleetClient> {
  const { LEVELSET_FLEET_TOKEN: value = "", LEVELSET_FLEET_TOKEN_FILE: path = "" } = shell.env;
  const file = flags.fleetTokenFile ?? (value === "" && path !== "" ? path : undefined);
  const options = { url, clock: shell.clock, random: realRandom, ...timeouts };
  if (file === undefined) return new FleetClient({ ...options, ...(value === "" ? {} : { token: value }) });
  const token = (): Promise<string> => readTokenFile(file, shell.cwd);
  // Fail early on an unreadable token file.
  await token();
  return new FleetClient({ ...options, token });
}
