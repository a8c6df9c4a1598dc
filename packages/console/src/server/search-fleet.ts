import { InputError } from "@levelset/core";
import type { FleetMonitor } from "./monitor/fleet-monitor.ts";

/** Maximum number of matches. */
const MATCHES_MAX = 10_000;

/** Returns the IDs of the resources that match a fleet search expression. Throws an InputError for an unknown kind. */
export async function searchFleet(
  { plural, search }: { readonly plural: string; readonly search: string },
  fleet: FleetMonitor | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kind = fleet?.kinds.find((each) => each.plural === plural);
  if (fleet === undefined || kind === undefined) {
    throw new InputError(`the fleet has no kind ${JSON.stringify(plural)}`);
  }
  const ids: string[] = [];
  for await (const { id } of fleet.client.collection(kind).list({ search, fields: ["id"], signal })) {
    ids.push(id);
    if (ids.length >= MATCHES_MAX) break;
  }
  return ids;
}
