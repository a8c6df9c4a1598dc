import { isNotFound, objectKeyOf } from "@levelset/core";
import type { AnyCustomKind, ObjectKey } from "@levelset/core";
import type { Req } from "@levelset/operator";

/** The API group of all kinds of these programs. */
export const GROUP = "bugs.levelset.dev";

/** Returns the key of an object beside that of the request. */
export function beside(req: Pick<Req<AnyCustomKind>, "namespace">, name: string): Required<ObjectKey> {
  return { namespace: req.namespace ?? "", name };
}

/**
 * Reads the object of the request from the server, and returns whether it is gone. While the cache still has it, the
 * garbage collector deletes each child that is created for it.
 */
export async function isGone<K extends AnyCustomKind>({ client, kind, object }: Req<K, never>): Promise<boolean> {
  const live = await ifFound(client.get(kind, objectKeyOf(object)));
  return live?.metadata.uid !== object.metadata.uid;
}

/** Returns a container. The default of its pull policy would depend on the first image that it had. */
export function containerOf(image: string) {
  return { name: "main", image, imagePullPolicy: "IfNotPresent" } as const;
}

/** Awaits a read or a deletion; undefined if the object does not exist. */
export async function ifFound<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
