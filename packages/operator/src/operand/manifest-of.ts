import { apiVersionOf } from "@levelset/core";
import type { EmbeddedObject, Kind, NewOf } from "@levelset/core";

/** An object of a kind as a set holds it, checked by the compiler: `manifestOf(ConfigMap, { metadata: { … }, data: { … } })`. */
export function manifestOf<K extends Kind>(kind: K, object: NewOf<K>): EmbeddedObject {
  // What is written for a kind is JSON; interfaces only lack the index signature.
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as EmbeddedObject;
}
