import type { Command } from "commander";
import type { Shell } from "./shell.ts";
import { FLEET_ADDRESS_PATH, readFleetAddress } from "./fleet-address.ts";

/** Flags that say which fleet a command is about. */
export interface FleetFlags {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
}

/** Where a fleet is, and what told so. */
export interface FleetPlace {
  readonly url: string;
  readonly found: string;
}

/** Gives a command the flags that say which fleet it is about. */
export function addFleetFlags(command: Command): Command {
  return command
    .option("--fleet <url>", "the fleet's API (default: LEVELSET_FLEET_URL, or a fleet of this directory)")
    .option("--fleet-token-file <file>", "a file with the bearer token (default: LEVELSET_FLEET_TOKEN, …_TOKEN_FILE)");
}

/** The fleet that a command is about; undefined if none is known. */
export function findFleet(shell: Shell, { fleet }: FleetFlags): FleetPlace | undefined {
  if (fleet !== undefined) return { url: fleet, found: "--fleet" };
  const { LEVELSET_FLEET_URL: url = "" } = shell.env;
  if (url !== "") return { url, found: "LEVELSET_FLEET_URL" };
  const address = readFleetAddress(shell.cwd);
  return address === undefined ? undefined : { url: address.url, found: FLEET_ADDRESS_PATH };
}
