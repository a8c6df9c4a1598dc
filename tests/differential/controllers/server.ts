import { deepEqual, isJsonObject, realClock } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { Asked } from "../pair.ts";

const DEADLINE_MS = 10_000;
const QUIET_MS = 400;

/** A field of a field, as far as there are fields. */
export function member(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}

/** A field as a text. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A field as a list. */
export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** An object; undefined where there is none. */
export async function get(asked: Asked, path: string): Promise<JsonObject | undefined> {
  const { code, body } = await asked.ask(path);
  return code === 200 ? (body as JsonObject) : undefined; // what answered 200 is an object
}

/** The objects of a collection. */
export async function items(asked: Asked, path: string): Promise<readonly JsonValue[]> {
  return list((await get(asked, path))?.["items"]);
}

/** Creates an object. */
export async function post(asked: Asked, path: string, body: unknown): Promise<JsonObject> {
  const answer = await asked.ask(path, { method: "POST", body });
  if (answer.code !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as JsonObject; // the created object
}

/** Changes an object by a merge patch. */
export async function merge(asked: Asked, path: string, body: unknown): Promise<void> {
  const answer = await asked.ask(path, { method: "PATCH", body, contentType: "application/merge-patch+json" });
  // A pod may go while others are marked.
  const isExpected = answer.code === 200 || (answer.code === 404 && path.includes("/pods/"));
  if (!isExpected) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

/** What a look settles on: unchanged for a while. */
export async function settled(look: () => Promise<unknown>): Promise<unknown> {
  let [seen, since] = [JSON.stringify(await look()), realClock.now()];
  while (realClock.now() - since < QUIET_MS) {
    await realClock.sleep(50);
    const next = JSON.stringify(await look());
    if (next !== seen) [seen, since] = [next, realClock.now()];
  }
  return JSON.parse(seen) as unknown;
}

/** What a look comes to: the expected, if it stays so for a while, or whatever there is at the deadline. */
export async function reached(
  look: () => Promise<unknown>,
  expected: unknown,
  retry?: () => Promise<void>,
): Promise<unknown> {
  const until = realClock.now() + DEADLINE_MS;
  for (;;) {
    const seen = await settled(look);
    if (deepEqual(seen, expected) || realClock.now() > until) return seen;
    await retry?.();
  }
}
