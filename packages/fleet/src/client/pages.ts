import { isJsonObject, TransportError } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { sendFleetRequest } from "./fleet-request.ts";
import type { HttpContext } from "./fleet-request.ts";
import type { WirePage } from "./wire.ts";

/** The maximum page size of the API. */
export const PAGE_MAX = 100;

/** Query parameters by name. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A paged list. */
export interface ListRequest {
  readonly path: string;
  readonly query: Query;
  readonly pageSize: number;
  /** The query parameters of the first page. */
  readonly first: Query;
  /** The parameter that takes the `next` value of the previous page. */
  readonly cursor: "after" | "before";
  readonly signal?: AbortSignal | undefined;
}

/** Yields the items of all pages on demand. Falls back to page numbers with servers that have no cursors. */
export async function* listItems<Item>(
  world: HttpContext,
  listing: ListRequest,
): AsyncGenerator<Item, void, undefined> {
  const { path, query, pageSize, cursor, signal } = listing;
  let part = listing.first;
  for (let number = 1; ; number += 1) {
    const url = `${path}${queryString({ ...query, size: `${pageSize}`, ...part })}`;
    const { json } = await sendFleetRequest(world, { method: "GET", path: url, signal });
    const page = pageOf<Item>(json);
    yield* page.items;
    if (page.next !== undefined) part = { [cursor]: page.next };
    else if (page.items.length > 0 && number * pageSize < (page.total ?? 0)) part = { page: `${number + 1}` };
    else return;
  }
}

function pageOf<Item>(json: JsonValue | undefined): WirePage<Item> {
  const page = requireObject(json);
  // Some servers send null for an empty page.
  const items = Array.isArray(page["items"]) ? page["items"] : [];
  return { ...page, items, size: items.length };
}

/** Returns the response if it is an object; throws otherwise. */
export function requireObject(json: JsonValue | undefined): JsonObject {
  if (json !== undefined && isJsonObject(json)) return json;
  throw new TransportError("the response is not a JSON object");
}

/** Returns `?a=b` without undefined values. */
export function queryString(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  return params.size === 0 ? "" : `?${params.toString()}`;
}
