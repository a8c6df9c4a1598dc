import type { JsonObject, JsonValue } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { Applied } from "./apply-configuration.ts";
import { applyFor } from "./last-applied.ts";
import { encodeOwners } from "./owner.ts";
import type { Owners } from "./owner.ts";
import type { TrackedKind } from "./ownership.ts";
import { updateOwners } from "./update-owners.ts";
import { objectType } from "./value-type.ts";

const text: StructuralSchema = { type: "string" };

/** A schema with one field of each way to be owned. */
export const SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        text,
        number: { type: "integer" },
        labels: { type: "object", additionalProperties: text },
        whole: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
        list: { type: "array", items: text },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" }, name: text },
          },
        },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

const API_VERSION = "example.dev/v1";

/** A kind with one version. */
export function kindOf(schema: StructuralSchema): TrackedKind {
  const type = objectType(schema);
  return {
    apiVersion: API_VERSION,
    type,
    blank: { apiVersion: API_VERSION, kind: "Thing" },
    typeIn: (apiVersion) => (apiVersion === API_VERSION ? type : undefined),
    convert: (value) => value,
    writable: (fields) => fields,
  };
}

/** An object and its owners, as they come to be by one write after the other. */
export class History {
  kind: TrackedKind = kindOf(SCHEMA);
  value: JsonValue = this.kind.blank;
  owners: Owners = new Map();
  #seconds = 0;

  /** Applies a spec; leaves everything as it was on a conflict. */
  apply(manager: string, spec: JsonObject, force = false, metadata: JsonObject = {}): Applied {
    const applied = applyFor({
      kind: this.kind,
      live: this.value,
      configuration: { apiVersion: API_VERSION, kind: "Thing", metadata: { name: "x", ...metadata }, spec },
      owners: this.owners,
      applier: { manager, operation: "Apply", apiVersion: API_VERSION, subresource: "" },
      time: this.#time(),
      force,
    });
    if (applied.kind === "applied") [this.value, this.owners] = [applied.value, applied.owners];
    return applied;
  }

  /** Replaces the spec, or the whole object. */
  update(manager: string, spec: JsonValue, rest: JsonObject = {}): void {
    const after: JsonObject = { apiVersion: API_VERSION, kind: "Thing", metadata: { name: "x" }, spec, ...rest };
    this.owners = updateOwners({
      kind: this.kind,
      before: this.value,
      after,
      owners: this.owners,
      writer: { manager, operation: "Update", apiVersion: API_VERSION, subresource: "" },
      time: this.#time(),
    });
    this.value = after;
  }

  get spec(): JsonValue {
    // Every value of a history is an object.
    return (this.value as JsonObject)["spec"] ?? null;
  }

  /** Who owns which fields of the spec. */
  get owned(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      encodeOwners(this.owners).map(({ manager = "", fieldsV1 }) => [manager, fieldsV1?.["f:spec"] ?? fieldsV1]),
    );
  }

  #time(): string {
    this.#seconds++;
    return new Date(this.#seconds * 1000).toISOString().replace(".000Z", "Z");
  }
}
