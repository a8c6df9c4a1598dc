import type { JsonObject, JsonValue } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { ApplyResult } from "./apply-configuration.ts";
import { applyWithLastApplied } from "./last-applied.ts";
import { encodeManagedFields } from "./managed-fields.ts";
import type { ManagedFields } from "./managed-fields.ts";
import type { TypeConverter } from "./ownership.ts";
import { updateManagedFields } from "./update-managed-fields.ts";
import { objectType } from "./value-type.ts";

const text: StructuralSchema = { type: "string" };

/** A schema with one field per ownership type. */
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
export function kindOf(schema: StructuralSchema): TypeConverter {
  const type = objectType(schema);
  return {
    apiVersion: API_VERSION,
    type,
    zeroValue: { apiVersion: API_VERSION, kind: "Thing" },
    typeForVersion: (apiVersion) => (apiVersion === API_VERSION ? type : undefined),
    convert: (value) => value,
    filterFields: (fields) => fields,
  };
}

/** An object and its managers over a sequence of writes. */
export class ManagedObject {
  kind: TypeConverter = kindOf(SCHEMA);
  value: JsonValue = this.kind.zeroValue;
  owners: ManagedFields = new Map();
  #seconds = 0;

  /** Applies a spec. A conflict changes nothing. */
  apply(manager: string, spec: JsonObject, force = false, metadata: JsonObject = {}): ApplyResult {
    const applied = applyWithLastApplied({
      converter: this.kind,
      live: this.value,
      configuration: { apiVersion: API_VERSION, kind: "Thing", metadata: { name: "x", ...metadata }, spec },
      managedFields: this.owners,
      manager: { manager, operation: "Apply", apiVersion: API_VERSION, subresource: "" },
      time: this.#time(),
      force,
    });
    if (applied.kind === "applied") [this.value, this.owners] = [applied.value, applied.owners];
    return applied;
  }

  /** Replaces the spec, or the whole object. */
  update(manager: string, spec: JsonValue, rest: JsonObject = {}): void {
    const after: JsonObject = { apiVersion: API_VERSION, kind: "Thing", metadata: { name: "x" }, spec, ...rest };
    this.owners = updateManagedFields({
      converter: this.kind,
      before: this.value,
      after,
      managedFields: this.owners,
      manager: { manager, operation: "Update", apiVersion: API_VERSION, subresource: "" },
      time: this.#time(),
    });
    this.value = after;
  }

  get spec(): JsonValue {
    // Every value of a history is an object.
    return (this.value as JsonObject)["spec"] ?? null;
  }

  /** The managers of the spec and their fields. */
  get owned(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      encodeManagedFields(this.owners).map(({ manager = "", fieldsV1 }) => [manager, fieldsV1?.["f:spec"] ?? fieldsV1]),
    );
  }

  #time(): string {
    this.#seconds++;
    return new Date(this.#seconds * 1000).toISOString().replace(".000Z", "Z");
  }
}
