import type { Command } from "commander";

/** Flags that select a fleet. */
export interface FleetFlags {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
}

/** Adds the flags that select a fleet. */
export function addFleetFlags(command: Command): Command {
  return command
    .option("--fleet <url>", "URL of the fleet API (default: LEVELSET_FLEET_URL, or a local fleet)")
    .option("--fleet-token-file <file>", "file with the bearer token (default: LEVELSET_FLEET_TOKEN)");
}
