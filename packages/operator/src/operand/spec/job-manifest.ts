import { isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, JsonValue } from "@levelset/core";
import { digestOf } from "../../apply/index.ts";
import { JOB_HASH_ANNOTATION } from "../../steps/index.ts";
import type { ManifestItem } from "./item.ts";
import { isJobFinalizer } from "./labels-and-annotations.ts";

/** Fields that change how a Job is scheduled or kept, and that the server lets change on an existing Job. */
const CHANGEABLE = ["ttlSecondsAfterFinished", "suspend", "parallelism"];

/** Hashes by manifest. Manifests are frozen and hashed in every run. */
const known = new WeakMap<EmbeddedObject, string>();

/**
 * Returns the hash of the content that a Job runs once for: its spec without changeable fields. A Job of mode
 * EnsureExists runs once, whatever its content.
 */
export function contentHashOf({ object, job }: ManifestItem): string {
  if (job?.runsOnceEver === true) return digestOf("EnsureExists");
  const found = known.get(object) ?? hashOf(object);
  known.set(object, found);
  return found;
}

function hashOf(object: EmbeddedObject): string {
  const spec = asMap(object["spec"]);
  return digestOf(Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.includes(name))));
}

/** Returns the manifest of a Job with the hash that it runs for, and with the finalizer if it is given. */
export function markedJob(
  { object }: ManifestItem,
  { hash, finalizer }: { readonly hash: string; readonly finalizer: string | undefined },
): EmbeddedObject {
  const { metadata } = object;
  const annotations = { ...asMap(metadata["annotations"]), [JOB_HASH_ANNOTATION]: hash };
  const declared = asList(metadata["finalizers"]).filter((name) => typeof name !== "string" || !isJobFinalizer(name));
  const finalizers = [...declared, ...(finalizer === undefined ? [] : [finalizer])];
  const { finalizers: _declared, ...rest } = metadata;
  return {
    ...object,
    metadata: { ...rest, annotations, ...(finalizers.length === 0 ? {} : { finalizers }) },
  };
}

function asMap(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // Array.isArray loses the item type
}
