import { isNotFound } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";
import type { Client } from "../client/index.ts";

/** Client and signal of a request. */
export interface ClientContext {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Reads the current object from the server; resolves with undefined if it does not exist. */
export async function liveObject<K extends Kind>(
  { client, signal }: ClientContext,
  kind: K,
  key: ObjectKey,
): Promise<NonNullable<K["Object"]> | undefined> {
  try {
    return await client.get(kind, key, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
