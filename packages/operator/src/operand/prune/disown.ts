import { isConflict, isNotFound, objectKeyOf, StatusError } from "@levelset/core";
import { removeFinalizerPatch, toError } from "@levelset/core/internal";
import type { JsonObject, JsonValue, Kind, KubeObject, StatusReason } from "@levelset/core";
import { isWriteConflict } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import {
  INHERITED,
  isJobFinalizer,
  jobFinalizerOf,
  MANAGED_LABEL,
  operandsOf,
  partLabel,
  PRUNE_AFTER_ANNOTATION,
  PRUNING,
} from "../spec/labels-and-annotations.ts";

/** Further changes when an owner reference is removed from an object. */
export interface OwnerChange {
  /** Uid of the Operand that no longer manages the object. */
  readonly removeOperand?: string | undefined;
  /** Uid of the Operand that manages the object from now on. */
  readonly addOperand?: string | undefined;
  /** Time at which the object is pruned, or `confirm`. */
  readonly pruneAfter?: string | undefined;
}

/**
 * Removes inventories from the owner references of an object. Changes only this resourceVersion, because the decision
 * depends on the other owners. Returns false if the object has changed.
 */
export async function disownObject(
  kind: Kind,
  object: KubeObject,
  removing: ReadonlySet<string>,
  ownerChange: OwnerChange,
  { client, signal }: ClientContext,
): Promise<boolean> {
  const change = {
    ...referencesChange(object, removing),
    ...markChange(object, ownerChange),
    ...finalizersChange(object, ownerChange),
  };
  if (Object.keys(change).length === 0) return true;
  const { uid, resourceVersion } = object.metadata;
  try {
    await client.mergePatch(kind, objectKeyOf(object), { metadata: { ...change, uid, resourceVersion } }, { signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}

function referencesChange(object: KubeObject, removing: ReadonlySet<string>): JsonObject {
  const references = object.metadata.ownerReferences ?? [];
  const others = references.filter(({ uid }) => !removing.has(uid));
  if (others.length === references.length) return {};
  return { ownerReferences: others as unknown as JsonValue }; // JSON, without the index signature
}

/** Releases a Job that the Operand no longer manages: its result is not recorded. */
function finalizersChange({ metadata }: KubeObject, { removeOperand, pruneAfter }: OwnerChange): JsonObject {
  const { finalizers = [] } = metadata;
  const isReleased = (name: string): boolean =>
    pruneAfter === undefined
      ? removeOperand !== undefined && name === jobFinalizerOf(removeOperand)
      : isJobFinalizer(name);
  const left = finalizers.filter((name) => !isReleased(name));
  return left.length === finalizers.length ? {} : { finalizers: left };
}

function markChange(object: KubeObject, { removeOperand, addOperand, pruneAfter }: OwnerChange): JsonObject {
  const { annotations } = object.metadata;
  const before = operandsOf(object);
  const after = new Set(before.filter((uid) => uid !== removeOperand));
  // The remaining Operands apply the object again, which removes the fields of the one that left.
  const isLeft = after.size < before.length;
  if (addOperand !== undefined) after.add(addOperand);
  const labels: JsonObject = {
    ...Object.fromEntries(before.filter((uid) => !after.has(uid)).map((uid) => [partLabel(uid), null])),
    ...Object.fromEntries(
      [...after].filter((uid) => isLeft || !before.includes(uid)).map((uid) => [partLabel(uid), INHERITED]),
    ),
    ...(before.length > 0 && after.size === 0 ? { [MANAGED_LABEL]: null } : {}),
    ...(before.length === 0 && after.size > 0 ? { [MANAGED_LABEL]: "true" } : {}),
  };
  const marks = marksChange(annotations ?? {}, before, { removeOperand, addOperand, pruneAfter });
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(marks).length === 0 ? {} : { annotations: marks }),
  };
}

/**
 * Returns the change of the prune time and of the prune mark. An Operand removes its own only, because two prunes that
 * remove each other's marks would never end. `holders` are the uids of the Operands that have the object.
 */
function marksChange(
  annotations: Readonly<Record<string, string>>,
  holders: readonly string[],
  { removeOperand, addOperand, pruneAfter }: OwnerChange,
): JsonObject {
  const { [PRUNING]: pruner, [PRUNE_AFTER_ANNOTATION]: time } = annotations;
  const isHolder = removeOperand !== undefined && holders.includes(removeOperand);
  const isPruner = removeOperand !== undefined && pruner === removeOperand;
  // A prune time is set for the only Operand that has the object. Another client may have removed that Operand's label.
  const isOwnTime = isHolder || (isPruner && holders.length === 0);
  const nextTime = isOwnTime ? undefined : (pruneAfter ?? time);
  // The prune of another Operand that has the object continues. If another inventory decides on the object, the mark may
  // belong to a prune of that inventory, which would have to start over. Any other object stays and loses its mark.
  const isForeign = pruner !== undefined && !isPruner && holders.includes(pruner);
  const isDecided = isHolder || isPruner || addOperand !== undefined || pruneAfter !== undefined;
  const isUnmarked = pruner !== undefined && isDecided && !(isHolder && isForeign);
  return {
    ...(nextTime === time ? {} : { [PRUNE_AFTER_ANNOTATION]: nextTime ?? null }),
    ...(isUnmarked ? { [PRUNING]: null } : {}),
  };
}

/** Reasons of an overloaded server; the request may succeed later. */
const OVERLOADED: readonly string[] = ["TooManyRequests", "ServiceUnavailable", "Timeout", "ServerTimeout"];

/** Result of marking an object before its deletion. */
export type Marking =
  /** The object with the mark. */
  | { readonly kind: "marked"; readonly object: KubeObject }
  /** The server rejects changes of the object, for example because a webhook is unavailable. */
  | { readonly kind: "refused" }
  | { readonly kind: "changed" }
  | { readonly kind: "gone" };

/** Marks this resourceVersion of an object before its deletion. Writes nothing if the mark is already set. */
export async function markObject(
  kind: Kind,
  object: KubeObject,
  operandUid: string,
  { client, signal }: ClientContext,
): Promise<Marking> {
  if (object.metadata.annotations?.[PRUNING] !== undefined) return { kind: "marked", object };
  const { uid, resourceVersion } = object.metadata;
  const patch = { metadata: { uid, resourceVersion, annotations: { [PRUNING]: operandUid } } };
  try {
    return { kind: "marked", object: await client.mergePatch(kind, objectKeyOf(object), patch, { signal }) };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    if (isConflict(error)) return { kind: "changed" };
    if (error instanceof StatusError && !OVERLOADED.includes(error.reason)) return { kind: "refused" };
    throw error;
  }
}

/**
 * Removes the prune marks from a desired object, so that a deletion of the marked version fails. Returns the updated
 * object; undefined if it is gone.
 */
export async function unmarkObject(
  kind: Kind,
  object: KubeObject,
  { client, signal }: ClientContext,
  marks: readonly string[] = [PRUNE_AFTER_ANNOTATION, PRUNING],
): Promise<KubeObject | undefined> {
  const { uid, annotations } = object.metadata;
  const present = marks.filter((mark) => annotations?.[mark] !== undefined);
  // On an object that belongs to no Operand the annotation is a copy and stays.
  if (present.length === 0 || operandsOf(object).length === 0) return object;
  const patch = { metadata: { uid, annotations: Object.fromEntries(present.map((mark) => [mark, null])) } };
  try {
    return await client.mergePatch(kind, objectKeyOf(object), patch, { signal });
  } catch (error) {
    // A uid mismatch is a conflict: the object is gone, and another one has its name.
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
}

/** Why the server did not delete an object. */
export interface DeleteRefusal {
  /** The reason of the API server; `Changing` if the object changes at each attempt, `Error` without a response. */
  readonly reason: StatusReason | "Changing" | "Error";
  readonly message: string;
}

/** Returns the error if the server forbids a request, such as for lack of rights. Other errors are thrown. */
export async function orForbidden<T>(request: Promise<T>): Promise<T | StatusError> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof StatusError && error.reason === "Forbidden") return error;
    throw error;
  }
}

/** Returns the refusal that an error reports. */
export function refusalOf({ reason, message }: StatusError): DeleteRefusal {
  return { reason, message };
}

/** Options of {@link deleteUnchanged}. */
export interface DeleteOptions extends ClientContext {
  readonly dryRun?: boolean;
  /** Default Background. */
  readonly propagation?: "Background" | "Foreground";
}

/**
 * Deletes this resourceVersion of an object, or checks with a dry run whether it could. A changed object is left for
 * the next run.
 */
export async function deleteUnchanged(
  kind: Kind,
  object: KubeObject,
  { client, signal, dryRun = false, propagation = "Background" }: DeleteOptions,
): Promise<DeleteRefusal | undefined> {
  const { uid, resourceVersion } = object.metadata;
  // The client does not retry a throttled deletion: the desired state may have changed by then.
  const retryThrottled = dryRun;
  const options = { uid, resourceVersion, propagationPolicy: propagation, signal, dryRun, retryThrottled };
  try {
    if (object.metadata.deletionTimestamp === undefined) await client.delete(kind, objectKeyOf(object), options);
    return dryRun ? undefined : await releaseJob(kind, object, { client, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    signal.throwIfAborted();
    if (!retryThrottled && error instanceof StatusError && error.reason === "TooManyRequests") throw error;
    const reason = error instanceof StatusError ? error.reason : "Error";
    return { reason, message: toError(error).message };
  }
}

/** Removes the finalizer of its Operand from a deleted Job. */
async function releaseJob(
  kind: Kind,
  object: KubeObject,
  { client, signal }: ClientContext,
): Promise<DeleteRefusal | undefined> {
  // Only an object that no other Operand manages is deleted.
  const finalizer = object.metadata.finalizers?.find(isJobFinalizer);
  if (finalizer === undefined) return undefined;
  try {
    await client.jsonPatch(kind, objectKeyOf(object), removeFinalizerPatch(object, finalizer), { signal });
    return undefined;
  } catch (error) {
    if (!isWriteConflict(error)) throw error;
    return { reason: "Conflict", message: "it changed before its finalizer was removed" };
  }
}
