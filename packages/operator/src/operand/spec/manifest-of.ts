import { apiVersionOf } from "@levelset/core";
import type { EmbeddedObject, Kind, NewOf } from "@levelset/core";

/**
 * Returns an object as manifest of a set, type-checked by its kind: `manifestOf(ConfigMap, { metadata: { … }, data: { …
 * } })`.
 */
export function manifestOf<K extends Kind>(kind: K, object: NewOf<K>): EmbeddedObject {
  // Objects are JSON; their interfaces only lack the index signature.
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as EmbeddedObject;
}
