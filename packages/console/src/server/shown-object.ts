import { deepEqual } from "@levelset/core";
import type { JsonObject, KubeObject } from "@levelset/core";
import { redacted } from "@levelset/operator";

/** What of an object may be shown: all but values of Secrets, wherever they are, and who owns what, which is shown beside. */
export function shownObject(object: KubeObject): { readonly shown: JsonObject; readonly isMasked: boolean } {
  const { managedFields: _, ...metadata } = object.metadata;
  const whole = { ...object, metadata } as unknown as JsonObject; // objects are JSON
  const shown = redacted(whole) as JsonObject; // an object stays one
  return { shown, isMasked: !deepEqual(whole, shown) };
}
