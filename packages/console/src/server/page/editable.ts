import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { load } from "js-yaml";
import { redactObject } from "./redact-object.ts";
import { yamlLines } from "../yaml/yaml-lines.ts";

/** Editable text, or the reason why editing is refused. */
export type Editable =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly why: string };

/** Fields of metadata that users may write; the server sets all others. */
const WRITABLE = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];

/** Returns the user-writable fields of an object as YAML. */
export function editableObject(object: KubeObject, kind: { readonly hasStatus: boolean }): Editable {
  const { shown, isMasked } = redactObject(object);
  if (isMasked) return refused("it contains values of Secrets, which the console does not show");
  const { status, metadata, ...rest } = shown;
  const own = Object.entries(isJsonObject(metadata) ? metadata : {}).filter(([name]) => WRITABLE.includes(name));
  const { apiVersion, kind: kindName, ...fields } = rest;
  return editableValue({
    apiVersion: apiVersion ?? "",
    kind: kindName ?? "",
    metadata: Object.fromEntries(own),
    ...fields,
    ...(kind.hasStatus || status === undefined ? {} : { status }),
  });
}

/** Returns a value as YAML that parses to the same value. */
export function editableValue(value: JsonObject): Editable {
  if (holdsBigInteger(value)) return refused("it contains integers beyond 2^53, which would be rounded here");
  const lines = yamlLines(value, []).map(({ text }) => text);
  return { kind: "text", text: `${lines.join("\n")}\n` };
}

/** Parses edited YAML. Throws an InputError if it is invalid. */
export function parseEdited(yaml: string): JsonObject {
  const value = parsed(yaml);
  if (!isJsonObject(value)) throw new InputError("the YAML is not an object");
  return value;
}

function refused(why: string): Editable {
  return { kind: "refused", why };
}

function holdsBigInteger(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  return Object.values(value).some(holdsBigInteger);
}

function parsed(yaml: string): JsonValue {
  try {
    return load(yaml) as JsonValue; // the default schema of js-yaml yields JSON values
  } catch (error) {
    throw new InputError(`invalid YAML: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}
