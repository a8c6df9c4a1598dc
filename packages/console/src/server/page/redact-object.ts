import { deepEqual, redactSecrets } from "@levelset/core/internal";
import type { JsonObject, KubeObject } from "@levelset/core";

/** Returns an object for display: values of Secrets are masked at any depth, and managedFields are removed. */
export function redactObject(object: KubeObject): { readonly shown: JsonObject; readonly isMasked: boolean } {
  const { managedFields: _, ...metadata } = object.metadata;
  const whole = { ...object, metadata } as unknown as JsonObject; // objects are JSON
  const shown = redactSecrets(whole) as JsonObject; // redacting an object returns an object
  return { shown, isMasked: !deepEqual(whole, shown) };
}
