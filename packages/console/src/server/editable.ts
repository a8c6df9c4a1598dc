import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { load } from "js-yaml";
import { shownObject } from "./shown-object.ts";
import { yamlLines } from "./yaml-lines.ts";

/** What can be edited, or why it cannot. */
export type Editable =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly why: string };

/** Members of metadata that people write; all others are the server's own. */
const WRITTEN = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];

/** What of an object can be edited: all that is not the server's or its controller's to write. */
export function editableObject(object: KubeObject, kind: { readonly hasStatus: boolean }): Editable {
  const { shown, isMasked } = shownObject(object);
  if (isMasked) return refused("it holds values of Secrets, which the console does not show");
  const { status, metadata, ...rest } = shown;
  const own = Object.entries(isJsonObject(metadata) ? metadata : {}).filter(([name]) => WRITTEN.includes(name));
  const { apiVersion, kind: word, ...declared } = rest;
  return editableValue({
    apiVersion: apiVersion ?? "",
    kind: word ?? "",
    metadata: Object.fromEntries(own),
    ...declared,
    ...(kind.hasStatus || status === undefined ? {} : { status }),
  });
}

/** A value as a text that reads back as the same. */
export function editableValue(value: JsonObject): Editable {
  if (holdsBigInteger(value)) return refused("it holds integers beyond 2^53, which would be rounded here");
  const lines = yamlLines(value, []).map(({ text }) => text);
  return { kind: "text", text: `${lines.join("\n")}\n` };
}

/** Reads what somebody edited. */
export function readEdited(yaml: string): JsonObject {
  const value = parsed(yaml);
  if (!isJsonObject(value)) throw new InputError("the YAML is no object");
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
    return load(yaml) as JsonValue; // YAML of this schema is JSON
  } catch (error) {
    throw new InputError(`the YAML cannot be read: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}
