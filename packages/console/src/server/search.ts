import { InputError } from "@levelset/core";
import type { FleetView } from "./fleet-view.ts";

/** How many matches are told; what is beyond that is no answer that somebody reads. */
const MATCHES_MAX = 10_000;

/** The ids of the resources that an expression of the fleet's search language selects. */
export async function searchFleet(
  { plural, search }: { readonly plural: string; readonly search: string },
  fleet: FleetView | undefined,
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
