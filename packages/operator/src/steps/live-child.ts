import { isNotFound } from "@levelset/core";
import type { AnyCustomKind, Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { Req } from "../step/index.ts";

/** What is used of a request to look after children. */
export type ChildReq = Pick<Req<AnyCustomKind, never>, "object" | "client" | "get" | "owned" | "signal">;

/** How often one run looks again when others write a child at the same moment. */
export const ATTEMPTS_MAX = 4;

/** The object as the server has it now, for when the local copy turned out to be old. */
export async function liveChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  key: ObjectKey,
): Promise<ObjectOf<C> | undefined> {
  try {
    return await req.client.get(kind, key, { signal: req.signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
