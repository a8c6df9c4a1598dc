/** Finds the fleet of a command, and records the address of the fleet of a directory. Begin with `find-fleet.ts`. */

export { findFleet, usesFleet } from "./find-fleet.ts";
export type { FleetLocation } from "./find-fleet.ts";
export { checkNoFleet, claimFleetAddress, FLEET_ADDRESS_PATH } from "./fleet-address.ts";
export { addFleetFlags } from "./fleet-flags.ts";
export type { FleetFlags } from "./fleet-flags.ts";
