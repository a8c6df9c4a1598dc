import { isConflict, isNotFound, keyOf, StatusError, toError } from "@levelset/core";
import type { JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { INHERITED, MANAGED_LABEL, operandsOf, partLabel, PRUNE_AFTER } from "./marks.ts";

/** What else changes when an owner is taken off an object. */
export interface Parting {
  /** The Operand that no longer keeps it. */
  readonly leaves?: string | undefined;
  /** The Operand that keeps it from now on. */
  readonly inherits?: string | undefined;
  /** When it is to be removed. */
  readonly pruneAfter?: string | undefined;
}

/**
 * Takes inventories off an object's owners. Only this very version of the object is changed: who else owns it decides what becomes
 * of it. False when it is another one by now.
 */
export async function releaseObject(
  kind: Kind,
  object: KubeObject,
  going: ReadonlySet<string>,
  parting: Parting,
  { client, signal }: Reach,
): Promise<boolean> {
  const change = { ...ownerChange(object, going), ...markChange(object, parting) };
  if (Object.keys(change).length === 0) return true;
  const { uid, resourceVersion } = object.metadata;
  try {
    await client.mergePatch(kind, keyOf(object), { metadata: { ...change, uid, resourceVersion } }, { signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}

function ownerChange(object: KubeObject, going: ReadonlySet<string>): JsonObject {
  const references = object.metadata.ownerReferences ?? [];
  const others = references.filter(({ uid }) => !going.has(uid));
  if (others.length === references.length) return {};
  return { ownerReferences: others as unknown as JsonValue }; // JSON, without the index signature
}

function markChange(object: KubeObject, { leaves, inherits, pruneAfter }: Parting): JsonObject {
  const { annotations } = object.metadata;
  const before = operandsOf(object);
  const after = new Set(before.filter((uid) => uid !== leaves));
  if (inherits !== undefined) after.add(inherits);
  const labels: JsonObject = {
    ...Object.fromEntries(before.filter((uid) => !after.has(uid)).map((uid) => [partLabel(uid), null])),
    ...Object.fromEntries([...after].filter((uid) => !before.includes(uid)).map((uid) => [partLabel(uid), INHERITED])),
    ...(before.length > 0 && after.size === 0 ? { [MANAGED_LABEL]: null } : {}),
    ...(before.length === 0 && after.size > 0 ? { [MANAGED_LABEL]: "true" } : {}),
  };
  // Who lets go of an object takes the time with it at which it was to go.
  const mark = leaves === undefined ? (pruneAfter ?? annotations?.[PRUNE_AFTER]) : undefined;
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(mark === annotations?.[PRUNE_AFTER] ? {} : { annotations: { [PRUNE_AFTER]: mark ?? null } }),
  };
}

/** Why an object could not be removed; undefined when it is gone or going. */
export interface DeleteRefusal {
  readonly reason: string;
  readonly message: string;
}

/** Deletes this very version of an object, or asks whether it could be. A version that is not the newest is left for the next look. */
export async function deleteObject(
  kind: Kind,
  object: KubeObject,
  { client, signal, dryRun = false }: Reach & { readonly dryRun?: boolean },
): Promise<DeleteRefusal | undefined> {
  const { uid, resourceVersion } = object.metadata;
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  try {
    await client.delete(kind, keyOf(object), { uid, resourceVersion, propagation: "Background", signal, dryRun });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    signal.throwIfAborted();
    const reason = error instanceof StatusError ? error.reason : "Error";
    return { reason, message: toError(error).message };
  }
}
