import type { JsonObject } from "@levelset/core";

/** A CRD and its changes. */
export interface CrdCase {
  /** Short description of the case. */
  readonly name: string;
  readonly body: JsonObject;
  /** Merge patches in order. If absent, the CRD is only created as a dry run. */
  readonly changes?: readonly JsonObject[];
  /** Why the error message is not compared; code, fields and reasons are. */
  readonly messageDifference?: string;
}

const GROUP = "differential.example.com";
/** The schema of a kind with one field. */
export const SCHEMA: JsonObject = {
  type: "object",
  properties: { spec: { type: "object", properties: { x: { type: "string" } } } },
};
/** A version with that schema. */
export const VERSION: JsonObject = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } };

/** Returns a CRD with the given plural. */
export function crdManifest(plural: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}`, ...metadata },
    spec: { group: GROUP, names: { plural, kind }, scope: "Namespaced", versions: [VERSION], ...spec },
  };
}

/** Returns a CRD whose only version differs in some fields. */
export function withVersion(fields: JsonObject): JsonObject {
  return crdManifest("tries", { versions: [{ ...VERSION, ...fields }] });
}

/** Reason for messages that differ by implementation. */
export const GO_STRUCT_MESSAGE = "kube-apiserver prints a Go struct";
