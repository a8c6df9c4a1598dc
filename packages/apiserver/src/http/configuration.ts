import { isJsonObject, JsonError, parseJson } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { boolYaml11Tag, CORE_SCHEMA, load, mergeTag, nullYaml11Tag, YAMLException } from "js-yaml";
import { badRequest, checkJsonText, checkText } from "../registry/index.ts";
import type { FieldValidation } from "../registry/index.ts";
import { checkExpansion } from "./expansion.ts";

/** YAML as kubectl reads it: `yes` and `on` are booleans, dates are texts, `<<` merges. */
const SCHEMA = CORE_SCHEMA.withTags(boolYaml11Tag, nullYaml11Tag, mergeTag);

/**
 * Reads a configuration in YAML or JSON. A key that is given twice is refused when told to be strict; the real server cannot warn
 * about it either, for its warning would have two lines. Throws BadRequest.
 */
export function readConfiguration(text: string, fieldValidation: FieldValidation): JsonObject {
  const value = parseConfiguration(text);
  const problem = fieldValidation === "Strict" ? duplicateKey(text) : undefined;
  if (problem !== undefined) throw badRequest(`error strict decoding YAML: ${problem}`);
  return value;
}

function parseConfiguration(text: string): JsonObject {
  const value = text.trimStart().startsWith("{") ? fromJson(text) : fromYaml(text);
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  const type = Array.isArray(value) ? "array" : typeof value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

function fromJson(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text, "int64");
    checkJsonText(value, text);
    return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // YAML in flow style begins in the same way.
    return fromYaml(text);
  }
}

/** Reads YAML; undefined for an empty document. Throws BadRequest. */
export function fromYaml(text: string): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value = load(text, { schema: SCHEMA, json: true });
    checkExpansion(value, text.length);
    // What the tags of the schema make is JSON.
    const json = value as JsonValue | undefined;
    if (json !== undefined) checkText(json);
    return json;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${lineOf(error)}${error.reason}`);
  }
}

function duplicateKey(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    load(text, { schema: SCHEMA });
    return undefined;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const key = /^[\s"']*(?<key>[^\s"':]+)/u.exec(lineAt(text, error))?.groups?.["key"] ?? "";
    return `error converting YAML to JSON: yaml: unmarshal errors:\n  ${lineOf(error)}key ${JSON.stringify(key)} already set in map`;
  }
}

function lineOf(error: YAMLException): string {
  return error.mark === undefined ? "" : `line ${error.mark.line + 1}: `;
}

/** The text from where the problem is. */
function lineAt(text: string, error: YAMLException): string {
  return error.mark === undefined ? "" : text.slice(error.mark.position);
}
