import type { JsonObject, JsonValue } from "@levelset/core";
import { crdManifest } from "./crd-case.ts";

/** One request about the objects of a scenario. */
export type Step =
  | { readonly create: JsonObject; readonly version?: string; readonly query?: string }
  | { readonly merge: JsonValue; readonly name?: string; readonly version?: string; readonly part?: string }
  | { readonly put: JsonObject; readonly name?: string; readonly version?: string; readonly part?: string }
  | { readonly get: string; readonly version?: string }
  /** Updates the CRD itself. */
  | { readonly declare: JsonObject };

/** A custom kind and the requests about it. */
export interface CrdScenario {
  readonly name: string;
  readonly plural: string;
  readonly crd: JsonObject;
  readonly steps: readonly Step[];
  /** Why error messages are not compared. */
  readonly messageDifference?: string;
}

/** Fields of a spec. */
export type Fields = Readonly<Record<string, JsonObject>>;

/** Returns a version of a kind whose spec has these fields. */
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

/** Returns a scenario for a kind of one version. */
export function crdScenario(
  name: string,
  plural: string,
  fields: Fields,
  steps: readonly Step[],
  more: JsonObject = {},
): CrdScenario {
  return { name, plural, crd: crdManifest(plural, { versions: [version("v1", true, fields, more)] }), steps };
}

/** Returns an object with this spec. */
export const spec = (fields: JsonObject, name = "a"): JsonObject => ({ metadata: { name }, spec: fields });
/** Returns a step that changes the fields of the spec. */
export const updateSchema = (fields: Fields, more: JsonObject = {}): Step => ({
  declare: { spec: { versions: [version("v1", true, fields, more)] } },
});
/** A string. */
export const text: JsonObject = { type: "string" };
/** A string of at most two characters. */
export const short: JsonObject = { type: "string", maxLength: 2 };
/** Returns a list keyed by k. */
export const keyed = (fields: Fields): JsonObject => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: { type: "object", required: ["k"], properties: { k: text, ...fields } },
});
