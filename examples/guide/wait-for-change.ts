import type { ObjectKey, ObjectOf } from "@levelset/core";
import type { Client } from "@levelset/operator";
import { Shop } from "./shop.ts";

/** Changes the password Secret of a shop and resolves when the change is live. */
export async function changePassword(
  client: Client,
  key: ObjectKey,
  passwordSecret: string,
  print: (line: string) => void,
): Promise<ObjectOf<typeof Shop>> {
  const { metadata } = await client.mergePatch(Shop, key, { spec: { passwordSecret } });
  return client.waitUntilReady(Shop, key, {
    generation: metadata.generation, // of this write: older reads are ignored
    timeoutMs: 300_000,
    onProgress: ({ state, message }) => print(`${state}: ${message}`),
  });
}
