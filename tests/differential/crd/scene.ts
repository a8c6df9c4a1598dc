import type { JsonObject, JsonValue } from "@levelset/core";
import { declaration } from "./declaration.ts";

/** One request about the objects of a scene. */
export type Step =
  | { readonly create: JsonObject; readonly version?: string; readonly query?: string }
  | { readonly merge: JsonValue; readonly name?: string; readonly version?: string; readonly part?: string }
  | { readonly put: JsonObject; readonly name?: string; readonly version?: string; readonly part?: string }
  | { readonly get: string; readonly version?: string }
  /** Changes the declaration itself. */
  | { readonly declare: JsonObject };

/** A declared kind and what is done with it. */
export interface Scene {
  readonly name: string;
  readonly plural: string;
  readonly crd: JsonObject;
  readonly steps: readonly Step[];
  /** Why the words of an error are not compared. */
  readonly words?: string;
}

/** Fields of a spec. */
export type Fields = Readonly<Record<string, JsonObject>>;

/** A version of a kind whose spec has these fields. */
export function version(name: string, storage: boolean, fields: Fields, more: JsonObject = {}): JsonObject {
  const openAPIV3Schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: fields },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  return { name, served: true, storage, schema: { openAPIV3Schema }, ...more };
}

/** What is done with a kind of one version. */
export function scene(
  name: string,
  plural: string,
  fields: Fields,
  steps: readonly Step[],
  more: JsonObject = {},
): Scene {
  return { name, plural, crd: declaration(plural, { versions: [version("v1", true, fields, more)] }), steps };
}

/** An object with this spec. */
export const spec = (fields: JsonObject, name = "a"): JsonObject => ({ metadata: { name }, spec: fields });
/** Changes the fields of the spec. */
export const tighten = (fields: Fields, more: JsonObject = {}): Step => ({
  declare: { spec: { versions: [version("v1", true, fields, more)] } },
});
/** A text. */
export const text: JsonObject = { type: "string" };
/** A text of two characters at most. */
export const short: JsonObject = { type: "string", maxLength: 2 };
/** A list that is keyed by k. */
export const keyed = (fields: Fields): JsonObject => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: { type: "object", required: ["k"], properties: { k: text, ...fields } },
});
