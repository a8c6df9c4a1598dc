import { isDeleting, isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, KubeObject } from "@levelset/core";
import { digestOf } from "../../apply/index.ts";
import type { ManifestItem } from "../spec/item.ts";
import { isMarkedForPruning, STEADY_STATE_ANNOTATION } from "../spec/labels-and-annotations.ts";
import type { ApplyBody } from "./apply-body.ts";
import { isTakenOver } from "./former-fields.ts";

const digests = new WeakMap<EmbeddedObject, string>();

function digestOfManifest(manifest: EmbeddedObject): string {
  const known = digests.get(manifest) ?? digestOf(manifest);
  digests.set(manifest, known);
  return known;
}

/**
 * Returns the body of an object of postInstall with a digest of the steadyState version that it replaces. The merged set
 * is applied only once that version was installed and healthy, so the digest on the object proves both.
 */
export function withReplacedVersion(body: ApplyBody, { replaces }: ManifestItem): ApplyBody {
  if (replaces === undefined) return body;
  const { annotations } = body.metadata;
  const all: JsonObject = {
    ...(isJsonObject(annotations) ? annotations : {}),
    [STEADY_STATE_ANNOTATION]: digestOfManifest(replaces),
  };
  return { ...body, metadata: { ...body.metadata, annotations: all } };
}

/** Like `withReplacedVersion`, if the object has a digest: an applied object is not written only to add one. */
export function sameReplacedVersion(body: ApplyBody, item: ManifestItem, live: KubeObject | undefined): ApplyBody {
  return live === undefined || replacedVersion(live) === undefined ? body : withReplacedVersion(body, item);
}

/** Returns the digest of the replaced steadyState version on an object. */
export function replacedVersion({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[STEADY_STATE_ANNOTATION];
}

/**
 * Reports whether an object of steadyState need not be installed again: its version is the one that was installed last,
 * and the object of postInstall that replaces it is in place.
 */
export function isReplaced({ object }: ManifestItem, live: KubeObject, operandUid: string): boolean {
  return (
    replacedVersion(live) === digestOfManifest(object) &&
    !isTakenOver(live, operandUid) &&
    !isDeleting(live) &&
    !isMarkedForPruning(live)
  );
}
