import { realRandom } from "@levelset/core";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetClientOptions } from "@levelset/fleet/client";
import type { FleetFlags, FleetPlace } from "./fleet-flags.ts";
import type { Shell } from "./shell.ts";
import { readTokenFile } from "./token-file.ts";

/** How long to ask, where not as commands do. */
export type FleetPatience = Pick<FleetClientOptions, "retry" | "timeoutMs" | "fetch">;

/** How long a command asks. */
export const COMMAND_PATIENCE: FleetPatience = { retry: { triesMax: 3, waitMaxMs: 5_000 } };

/** A client of the fleet at a place, with the token that flags or the environment give. A file is read for each request: tokens are replaced. */
export async function fleetClient(
  { url }: FleetPlace,
  flags: FleetFlags,
  shell: Shell,
  patience: FleetPatience = COMMAND_PATIENCE,
): Promise<FleetClient> {
  const { LEVELSET_FLEET_TOKEN: given = "", LEVELSET_FLEET_TOKEN_FILE: named = "" } = shell.env;
  const file = flags.fleetTokenFile ?? (given === "" && named !== "" ? named : undefined);
  const world = { url, clock: shell.clock, random: realRandom, ...patience };
  if (file === undefined) return new FleetClient({ ...world, ...(given === "" ? {} : { token: given }) });
  const token = (): Promise<string> => readTokenFile(file, shell.cwd);
  // A wrong name is said at once.
  await token();
  return new FleetClient({ ...world, token });
}
