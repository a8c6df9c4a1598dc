import { isConflict, isNotFound, keyOf, StatusError, toError } from "@levelset/core";
import type { JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { INHERITED, MANAGED_LABEL, operandsOf, partLabel, PRUNE_AFTER, PRUNING } from "./marks.ts";

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
  const isPassed = leaves === undefined && inherits === undefined && pruneAfter === undefined;
  // Who lets go of an object takes the time with it at which it was to go.
  const mark = leaves === undefined ? (pruneAfter ?? annotations?.[PRUNE_AFTER]) : undefined;
  const marks: JsonObject = {
    ...(mark === annotations?.[PRUNE_AFTER] ? {} : { [PRUNE_AFTER]: mark ?? null }),
    // An object that stays does not keep the mark of a run that was about to delete it. Where another inventory decides about the object,
    // the mark may be of a prune of that one, which would have to begin anew.
    ...(annotations?.[PRUNING] === undefined || isPassed ? {} : { [PRUNING]: null }),
  };
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(marks).length === 0 ? {} : { annotations: marks }),
  };
}

/** Reasons of a server that may do the same a little later. */
const OVERLOADED: readonly string[] = ["TooManyRequests", "ServiceUnavailable", "Timeout", "ServerTimeout"];

/** The result of marking an object that is about to be deleted. */
export type Marking =
  /** The version that has the mark. */
  | { readonly kind: "marked"; readonly object: KubeObject }
  /** The server refuses to change the object, as a webhook does that does not answer. */
  | { readonly kind: "refused" }
  | { readonly kind: "changed" }
  | { readonly kind: "gone" };

/** Marks this very version of an object that is about to be deleted. Writes nothing where the mark is there already. */
export async function markObject(
  kind: Kind,
  object: KubeObject,
  operandUid: string,
  { client, signal }: Reach,
): Promise<Marking> {
  if (object.metadata.annotations?.[PRUNING] !== undefined) return { kind: "marked", object };
  const { uid, resourceVersion } = object.metadata;
  const patch = { metadata: { uid, resourceVersion, annotations: { [PRUNING]: operandUid } } };
  try {
    return { kind: "marked", object: await client.mergePatch(kind, keyOf(object), patch, { signal }) };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    if (isConflict(error)) return { kind: "changed" };
    if (error instanceof StatusError && !OVERLOADED.includes(error.reason)) return { kind: "refused" };
    throw error;
  }
}

/**
 * Removes the marks from an object that is wanted, so that a deletion of the version that had them is refused. Returns the object as
 * it is then; undefined when it is gone.
 */
export async function unmarkObject(
  kind: Kind,
  object: KubeObject,
  { client, signal }: Reach,
  marks: readonly string[] = [PRUNE_AFTER, PRUNING],
): Promise<KubeObject | undefined> {
  const { uid, annotations } = object.metadata;
  const present = marks.filter((mark) => annotations?.[mark] !== undefined);
  // On an object that no Operand has, an annotation of that name is a copy, and not ours to remove.
  if (present.length === 0 || operandsOf(object).length === 0) return object;
  const patch = { metadata: { uid, annotations: Object.fromEntries(present.map((mark) => [mark, null])) } };
  try {
    return await client.mergePatch(kind, keyOf(object), patch, { signal });
  } catch (error) {
    // A uid that is not the same is a conflict: the object is gone, and another one has its name.
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
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
  // A throttled deletion is not repeated by the client: what is wanted may have changed by then.
  const retryThrottled = dryRun;
  const options = { uid, resourceVersion, propagation: "Background", signal, dryRun, retryThrottled } as const;
  try {
    await client.delete(kind, keyOf(object), options);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    signal.throwIfAborted();
    if (!retryThrottled && error instanceof StatusError && error.reason === "TooManyRequests") throw error;
    const reason = error instanceof StatusError ? error.reason : "Error";
    return { reason, message: toError(error).message };
  }
}
