import { isNotFound } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";
import type { Client } from "../client/index.ts";

/** Reaches the cluster. */
export interface Reach {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The object as the server has it now; undefined when there is none. */
export async function liveObject<K extends Kind>(
  { client, signal }: Reach,
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
