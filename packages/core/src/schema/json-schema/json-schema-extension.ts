import { isJsonObject } from "../../json/index.ts";
import type { JsonSchemaDocument, SchemaNode } from "./json-schema-document.ts";
import type { StructuralSchema } from "../structural.ts";

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isText = (value: unknown): boolean => typeof value === "string";

/** Kubernetes extensions with the checks of their values. */
const EXTENSIONS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["x-kubernetes-preserve-unknown-fields", isFlag],
  ["x-kubernetes-embedded-resource", isFlag],
  ["x-kubernetes-int-or-string", isFlag],
  ["x-kubernetes-list-type", (value: unknown) => value === "atomic" || value === "set" || value === "map"],
  ["x-kubernetes-list-map-keys", (value: unknown) => Array.isArray(value) && value.every((each) => isText(each))],
  ["x-kubernetes-map-type", (value: unknown) => value === "atomic" || value === "granular"],
  [
    "x-kubernetes-validations",
    (value: unknown) => Array.isArray(value) && value.every((each) => isJsonObject(each) && isText(each["rule"])),
  ],
]);

/** Returns the Kubernetes extensions of a schema, as in the OpenAPI documents of Kubernetes. */
export function extensionsOf(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const entries = [...node.keywords].filter(([name]) => EXTENSIONS.has(name));
  for (const [name, location] of entries) {
    if (EXTENSIONS.get(name)?.(location.value) === false) {
      throw document.error(location, `is not a valid value of ${name}`, "see the API conventions of Kubernetes");
    }
  }
  return Object.fromEntries(entries.map(([name, location]) => [name, location.value]));
}
