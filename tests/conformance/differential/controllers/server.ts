import { deepEqual } from "@levelset/core/internal";
import { isJsonObject, realClock } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { RawClient } from "../raw-clients.ts";

const DEADLINE_MS = 60_000;
const QUIET_MS = 400;

/** Returns the value at a path, or undefined. */
export function member(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}

/** Returns a field as a string. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns a field as a list. */
export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an object, or undefined. */
export async function get(client: RawClient, path: string): Promise<JsonObject | undefined> {
  const { code, body } = await client.request(path);
  return code === 200 ? (body as JsonObject) : undefined; // a 200 response is an object
}

/** Returns the objects of a collection. */
export async function items(client: RawClient, path: string): Promise<readonly JsonValue[]> {
  return list((await get(client, path))?.["items"]);
}

/** Creates an object. */
export async function post(client: RawClient, path: string, body: unknown): Promise<JsonObject> {
  const response = await client.request(path, { method: "POST", body });
  if (response.code !== 201) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
  return response.body as JsonObject; // the created object
}

/** Changes an object by a merge patch. */
export async function merge(client: RawClient, path: string, body: unknown): Promise<void> {
  const response = await client.request(path, { method: "PATCH", body, contentType: "application/merge-patch+json" });
  // A pod may be deleted while others are marked.
  const isExpected = response.code === 200 || (response.code === 404 && path.includes("/pods/"));
  if (!isExpected) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
}

/** Waits until the observed state is stable and returns it. */
export async function untilStable(look: () => Promise<unknown>): Promise<unknown> {
  let [seen, since] = [JSON.stringify(await look()), realClock.now()];
  while (realClock.now() - since < QUIET_MS) {
    await realClock.sleep(50);
    const next = JSON.stringify(await look());
    if (next !== seen) [seen, since] = [next, realClock.now()];
  }
  return JSON.parse(seen) as unknown;
}

/** Waits until two observed states are stable and equal; returns both as they are then or at the deadline. */
export async function untilEqual(
  ours: () => Promise<unknown>,
  real: () => Promise<unknown>,
  retry?: () => Promise<void>,
): Promise<{ readonly ours: unknown; readonly real: unknown }> {
  const until = realClock.now() + DEADLINE_MS;
  for (;;) {
    const seen = { ours: await untilStable(ours), real: await untilStable(real) };
    if (deepEqual(seen.ours, seen.real) || realClock.now() > until) return seen;
    await retry?.();
  }
}
