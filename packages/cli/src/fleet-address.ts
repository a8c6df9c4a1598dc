import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { thisMachine } from "./run-file.ts";

/** Where a fleet of this directory says where it is. */
export const FLEET_ADDRESS_PATH = ".levelset/fleet.json";

/** What the file says. */
export interface FleetAddress {
  readonly url: string;
  readonly pid: number;
}

/** The fleet that runs in a directory, if one has left its address there. What a dead one left is no address. */
export function readFleetAddress(cwd: string): FleetAddress | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(resolve(cwd, FLEET_ADDRESS_PATH), "utf8"));
    return isAddress(found) && thisMachine({}).isAlive(found.pid) ? found : undefined;
  } catch {
    return undefined; // not there, or half written by something else: no fleet is found here
  }
}

function isAddress(found: unknown): found is FleetAddress {
  if (typeof found !== "object" || found === null) return false;
  const { url, pid }: { readonly url?: unknown; readonly pid?: unknown } = found;
  return typeof url === "string" && URL.canParse(url) && Number.isInteger(pid);
}
