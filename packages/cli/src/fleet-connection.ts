import { realRandom } from "@levelset/core";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetFlags, FleetPlace } from "./fleet-flags.ts";
import type { Shell } from "./shell.ts";
import { readTokenFile } from "./token-file.ts";

/** A client of the fleet at a place, with the token that flags or the environment give. */
export async function fleetClient({ url }: FleetPlace, flags: FleetFlags, shell: Shell): Promise<FleetClient> {
  const { LEVELSET_FLEET_TOKEN: given = "", LEVELSET_FLEET_TOKEN_FILE: named = "" } = shell.env;
  const file = flags.fleetTokenFile ?? (given === "" && named !== "" ? named : undefined);
  const token = file === undefined ? given : await readTokenFile(file, shell.cwd);
  const retry = { triesMax: 3, waitMaxMs: 5_000 };
  return new FleetClient({ url, clock: shell.clock, random: realRandom, retry, ...(token === "" ? {} : { token }) });
}
