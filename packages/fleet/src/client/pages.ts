import { isJsonObject, TransportError } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { exchange } from "./exchange.ts";
import type { ExchangeWorld } from "./exchange.ts";
import type { WirePage } from "./wire.ts";

/** The most that the API gives at a time. */
export const PAGE_MAX = 100;

/** Parameters of a query, by name. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A list that comes in parts. */
export interface Listing {
  readonly path: string;
  readonly query: Query;
  readonly pageSize: number;
  /** How the query for the first part begins. */
  readonly first: Query;
  /** The parameter that takes the `next` of the part before. */
  readonly cursor: "after" | "before";
  readonly signal?: AbortSignal | undefined;
}

/** The items of all parts, as they are asked for. Servers that only number their pages are asked by number. */
export async function* pages<Item>(world: ExchangeWorld, listing: Listing): AsyncGenerator<Item, void, undefined> {
  const { path, query, pageSize, cursor, signal } = listing;
  let part = listing.first;
  for (let number = 1; ; number += 1) {
    const asked = `${path}${queryText({ ...query, size: `${pageSize}`, ...part })}`;
    const { json } = await exchange(world, { method: "GET", path: asked, signal });
    const page = pageOf<Item>(json);
    yield* page.items;
    if (page.next !== undefined) part = { [cursor]: page.next };
    else if (page.items.length > 0 && number * pageSize < (page.total ?? 0)) part = { page: `${number + 1}` };
    else return;
  }
}

function pageOf<Item>(json: JsonValue | undefined): WirePage<Item> {
  const page = objectOf(json);
  // The originals send null for an empty page.
  const items = Array.isArray(page["items"]) ? page["items"] : [];
  return { ...page, items, size: items.length };
}

/** An answer that must be an object. */
export function objectOf(json: JsonValue | undefined): JsonObject {
  if (json !== undefined && isJsonObject(json)) return json;
  throw new TransportError("the answer is not an object");
}

/** `?a=b`, without what is undefined. */
export function queryText(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, value);
  return given.size === 0 ? "" : `?${given.toString()}`;
}
