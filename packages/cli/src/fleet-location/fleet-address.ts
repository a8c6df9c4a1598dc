import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { claimFile } from "../files/index.ts";
import { isServerRunning, probeServer, thisMachine } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";

/** File with the address of the fleet of a directory. */
export const FLEET_ADDRESS_PATH = ".levelset/fleet.json";

/** Content of the file. */
export interface FleetAddress {
  readonly url: string;
  readonly pid: number;
}

/** Writes the address of a fleet until disposal. Throws an InputError if another fleet runs in the directory. */
export async function claimFleetAddress(url: string, { cwd, clock }: Shell): Promise<AsyncDisposable> {
  const text = JSON.stringify({ url, pid: process.pid });
  const path = resolve(cwd, FLEET_ADDRESS_PATH);
  return claimFile({ path, text, mayReplace: (found) => mustHaveEnded(addressIn(found), clock) });
}

/** Throws an InputError if a fleet runs in a directory. */
export async function checkNoFleet({ cwd, clock }: Shell): Promise<void> {
  await mustHaveEnded(readFleetAddress(cwd), clock);
}

async function mustHaveEnded(address: FleetAddress | undefined, clock: Clock): Promise<void> {
  if (address === undefined) return;
  const { url, pid } = address;
  const probe = await probeServer(new URL("/api/hyperfleet", url).href, (request) => globalThis.fetch(request), clock);
  if (!isServerRunning(probe, true)) return;
  throw new InputError(`a fleet is already running in this directory: process ${pid}, ${url}`, {
    hint: "use it, stop it, or start this one in another directory",
  });
}

/** Returns the address of the running fleet of a directory; ignores files of dead processes. */
export function readFleetAddress(cwd: string): FleetAddress | undefined {
  try {
    return addressIn(readFileSync(resolve(cwd, FLEET_ADDRESS_PATH), "utf8"));
  } catch {
    return undefined; // missing: no fleet runs in this directory
  }
}

/** Parses the address file; undefined if its process is dead. */
function addressIn(text: string): FleetAddress | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isAddress(found) && thisMachine({}).isAlive(found.pid) ? found : undefined;
  } catch {
    return undefined; // partially written
  }
}

function isAddress(found: unknown): found is FleetAddress {
  if (typeof found !== "object" || found === null) return false;
  const { url, pid }: { readonly url?: unknown; readonly pid?: unknown } = found;
  return typeof url === "string" && URL.canParse(url) && Number.isInteger(pid);
}
