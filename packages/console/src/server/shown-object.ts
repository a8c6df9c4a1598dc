import { deepEqual, isJsonObject } from "@levelset/core";
import type { JsonObject, KubeObject } from "@levelset/core";
import { MASK, redacted } from "@levelset/operator";

/** Where kubectl keeps all that it applied, Secrets inside of it included. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** What of an object may be shown: all but values of Secrets, wherever they are, and who owns what, which is shown beside. */
export function shownObject(object: KubeObject): { readonly shown: JsonObject; readonly isMasked: boolean } {
  const { managedFields: _, ...metadata } = object.metadata;
  const whole = { ...object, metadata } as unknown as JsonObject; // objects are JSON
  const shown = withoutApplied(redacted(whole) as JsonObject); // an object stays one
  return { shown, isMasked: !deepEqual(whole, shown) };
}

function withoutApplied(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return object;
  const applied = metadata["annotations"][LAST_APPLIED];
  if (typeof applied !== "string" || !/"kind"\s*:\s*"Secret"/u.test(applied)) return object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata["annotations"], [LAST_APPLIED]: MASK } } };
}
