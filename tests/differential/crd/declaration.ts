import type { JsonObject } from "@levelset/core";

/** A declaration to try, and changes of it. */
export interface DeclarationCase {
  /** A sentence about what is special. */
  readonly name: string;
  readonly body: JsonObject;
  /** Merge patches, one after the other. If there is no such list, the declaration is only tried out. */
  readonly changes?: readonly JsonObject[];
  /** Why the words of an error are not compared; its code, fields and reasons are. */
  readonly words?: string;
}

const GROUP = "differential.example.com";
/** The schema of a kind with one field. */
export const SCHEMA: JsonObject = {
  type: "object",
  properties: { spec: { type: "object", properties: { x: { type: "string" } } } },
};
/** A version with that schema. */
export const VERSION: JsonObject = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } };

/** A declaration of a kind with the given plural. */
export function declaration(plural: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}`, ...metadata },
    spec: { group: GROUP, names: { plural, kind }, scope: "Namespaced", versions: [VERSION], ...spec },
  };
}

/** A declaration whose only version differs in some fields. */
export function withVersion(fields: JsonObject): JsonObject {
  return declaration("tries", { versions: [{ ...VERSION, ...fields }] });
}

/** Words that no two implementations share. */
export const STRUCT = "the real server shows a Go struct";
