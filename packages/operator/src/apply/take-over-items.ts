import { isConflict, isInvalid, isNotFound, objectKeyOf, StatusError } from "@levelset/core";
import { createMergePatch } from "@levelset/core/apply";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { liveObject } from "./live-object.ts";
import type { ClientContext } from "./live-object.ts";
import { itemTakeovers } from "./refused-lists.ts";
import type { ItemTakeover } from "./refused-lists.ts";

/** An apply that the server refused. */
export interface TakeOverOptions<K extends Kind> extends ClientContext {
  readonly kind: K;
  /** The version of the object that was proven ours, and applied to. */
  readonly live: ObjectOf<K>;
  readonly body: JsonObject;
  /** Field manager of the apply. */
  readonly manager: string;
  /** Error of the apply. */
  readonly error: unknown;
  /** Sends dry-run requests only. Default false. */
  readonly dryRun?: boolean;
}

/** Result of taking over items of other writers. */
export type TakeOverResult<O> =
  /** No takeover makes the apply valid: the error of the apply stands. Nothing was written. */
  | { readonly kind: "none" }
  /** Another client changed the object at the same moment. */
  | { readonly kind: "changed" }
  /** The object can be applied again. `before` is the object before the takeover, with its managedFields. */
  | { readonly kind: "taken"; readonly before: O; readonly object: O }
  /** Dry runs only: the object as it is once the items are taken over and the object is applied. */
  | { readonly kind: "expected"; readonly object: O };

const NONE = { kind: "none" } as const;
const CHANGED = { kind: "changed" } as const;

/**
 * Takes over the items of other writers that make an apply invalid, such as a port that another client set instead of
 * ours: the apply that follows removes them and sets ours in one write. The takeover changes only managedFields, in the
 * version of the object that was proven ours, and only if a dry run accepts the object without the items. A crash between
 * the two writes is harmless: the object still differs from the body, so that the next run applies it.
 */
export async function takeOverItems<K extends Kind>(options: TakeOverOptions<K>): Promise<TakeOverResult<ObjectOf<K>>> {
  const { kind, body, manager, error, dryRun = false } = options;
  const causes = isInvalid(error) ? (error.details?.causes ?? []) : [];
  if (!causes.some(({ field = "" }) => field !== "")) return NONE;
  const live = await withManagers(options);
  if (live === undefined) return CHANGED;
  for (const takeover of itemTakeovers({ kind, live, body, manager, causes })) {
    const expected = await check(options, live, takeover);
    switch (expected) {
      case "refused":
        continue;
      case "unknown":
        return NONE;
      case "changed":
        return CHANGED;
      default:
        return dryRun ? { kind: "expected", object: expected } : take(options, live, takeover);
    }
  }
  return NONE;
}

/** Returns the object with managedFields, which cached objects do not have; undefined if it has changed. */
async function withManagers<K extends Kind>(options: TakeOverOptions<K>): Promise<ObjectOf<K> | undefined> {
  const { kind, live } = options;
  if (live.metadata.managedFields !== undefined) return live;
  const fresh = await liveObject(options, kind, objectKeyOf(live));
  return fresh !== undefined && isSameVersion(fresh, live) ? fresh : undefined;
}

function isSameVersion({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}

/** Asks the server whether it accepts the object without the items. `unknown`: a webhook may not support dry runs. */
async function check<K extends Kind>(
  { kind, client, signal }: TakeOverOptions<K>,
  live: ObjectOf<K>,
  { expected }: ItemTakeover,
): Promise<ObjectOf<K> | "refused" | "changed" | "unknown"> {
  const { managedFields: _fields, ...metadata } = live.metadata;
  const patch = createMergePatch({ ...live, metadata } as unknown as JsonObject, expected);
  const body = { ...patch, metadata: { ...(patch?.["metadata"] as JsonObject | undefined), ...versionOf(live) } };
  try {
    return await client.mergePatch(kind, objectKeyOf(live), body, { dryRun: true, signal });
  } catch (error) {
    if (isInvalid(error)) return "refused";
    if (isConflict(error) || isNotFound(error)) return "changed";
    if (error instanceof StatusError && (error.reason === "BadRequest" || error.reason === "Forbidden"))
      return "unknown";
    throw error;
  }
}

/** Moves the items to our field manager, in the version that was read. */
async function take<K extends Kind>(
  { kind, client, signal }: TakeOverOptions<K>,
  live: ObjectOf<K>,
  { managedFields }: ItemTakeover,
): Promise<TakeOverResult<ObjectOf<K>>> {
  const patch = { metadata: { ...versionOf(live), managedFields } };
  try {
    const object = await client.mergePatch(kind, objectKeyOf(live), patch, { signal });
    return { kind: "taken", before: live, object };
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return CHANGED;
    throw error;
  }
}

function versionOf({ metadata: { uid, resourceVersion } }: KubeObject): JsonObject {
  return { uid, resourceVersion };
}
