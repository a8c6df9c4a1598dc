import type { Shell } from "../terminal/index.ts";
import { FLEET_ADDRESS_PATH, readFleetAddress } from "./fleet-address.ts";
import type { FleetFlags } from "./fleet-flags.ts";

/** URL of a fleet and where it is configured. */
export interface FleetLocation {
  readonly url: string;
  readonly foundIn: string;
}

/** Returns the selected fleet, or undefined if none is configured. */
export function findFleet(shell: Shell, { fleet }: FleetFlags): FleetLocation | undefined {
  if (fleet !== undefined) return { url: fleet, foundIn: "--fleet" };
  const { LEVELSET_FLEET_URL: url = "" } = shell.env;
  if (url !== "") return { url, foundIn: "LEVELSET_FLEET_URL" };
  const address = readFleetAddress(shell.cwd);
  return address === undefined ? undefined : { url: address.url, foundIn: FLEET_ADDRESS_PATH };
}

/** Reports whether a fleet is configured and no flag selects a Kubernetes object instead. */
export function usesFleet(
  shell: Shell,
  flags: FleetFlags & { readonly kubeconfig?: string; readonly context?: string; readonly namespace?: string },
): boolean {
  const isKubernetes = [flags.kubeconfig, flags.context, flags.namespace].some((flag) => flag !== undefined);
  return findFleet(shell, flags) !== undefined && (!isKubernetes || flags.fleet !== undefined);
}
