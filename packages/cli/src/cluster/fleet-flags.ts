import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { FLEET_ADDRESS_PATH, readFleetAddress } from "./fleet-address.ts";

/** Flags that select a fleet. */
export interface FleetFlags {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
}

/** URL of a fleet and where it is configured. */
export interface FleetLocation {
  readonly url: string;
  readonly foundIn: string;
}

/** Adds the flags that select a fleet. */
export function addFleetFlags(command: Command): Command {
  return command
    .option("--fleet <url>", "URL of the fleet API (default: LEVELSET_FLEET_URL, or a local fleet)")
    .option("--fleet-token-file <file>", "file with the bearer token (default: LEVELSET_FLEET_TOKEN)");
}

/** Reports whether a fleet is configured and no flag selects a Kubernetes object instead. */
export function usesFleet(
  shell: Shell,
  flags: FleetFlags & { readonly kubeconfig?: string; readonly context?: string; readonly namespace?: string },
): boolean {
  const isKubernetes = [flags.kubeconfig, flags.context, flags.namespace].some((flag) => flag !== undefined);
  return findFleet(shell, flags) !== undefined && (!isKubernetes || flags.fleet !== undefined);
}

/** Returns the selected fleet, or undefined if none is configured. */
export function findFleet(shell: Shell, { fleet }: FleetFlags): FleetLocation | undefined {
  if (fleet !== undefined) return { url: fleet, foundIn: "--fleet" };
  const { LEVELSET_FLEET_URL: url = "" } = shell.env;
  if (url !== "") return { url, foundIn: "LEVELSET_FLEET_URL" };
  const address = readFleetAddress(shell.cwd);
  return address === undefined ? undefined : { url: address.url, foundIn: FLEET_ADDRESS_PATH };
}
