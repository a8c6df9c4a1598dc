import { isJsonObject } from "@levelset/core";
import { JsonError, parseJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { boolYaml11Tag, CORE_SCHEMA, load, mergeTag, nullYaml11Tag, YAMLException } from "js-yaml";
import { badRequestError } from "../../resource/index.ts";
import { checkJsonText, checkText } from "../../registry/index.ts";
import type { FieldValidation } from "../../registry/index.ts";
import { checkAliasExpansion } from "./alias-expansion.ts";

/** YAML 1.1 as kubectl reads it (sigs.k8s.io/yaml): `yes` and `on` are booleans, dates are strings, `<<` merges. */
const SCHEMA = CORE_SCHEMA.withTags(boolYaml11Tag, nullYaml11Tag, mergeTag);

/**
 * Parses an apply configuration in YAML or JSON. Strict field validation rejects duplicate keys. Warn does not report
 * them: the warning of kube-apiserver spans two lines, and warnings with control characters are dropped
 * (`k8s.io/apiserver/pkg/endpoints/handlers/patch.go`, `k8s.io/apimachinery/pkg/util/net/http.go`, Kubernetes 1.36).
 * Throws BadRequest.
 */
export function parseApplyConfiguration(text: string, fieldValidation: FieldValidation): JsonObject {
  const value = parseConfiguration(text);
  const problem = fieldValidation === "Strict" ? duplicateKey(text) : undefined;
  if (problem !== undefined) throw badRequestError(`error strict decoding YAML: ${problem}`);
  return value;
}

function parseConfiguration(text: string): JsonObject {
  const value = text.trimStart().startsWith("{") ? fromJson(text) : parseYamlBody(text);
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  const type = Array.isArray(value) ? "array" : typeof value;
  throw badRequestError(
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
    // YAML in flow style starts with the same characters as JSON.
    return parseYamlBody(text);
  }
}

/** Parses YAML; returns undefined for an empty document. Throws BadRequest. */
export function parseYamlBody(text: string): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value = load(text, { schema: SCHEMA, json: true });
    checkAliasExpansion(value, text.length);
    // The tags of the schema produce JSON values only.
    const json = value as JsonValue | undefined;
    if (json !== undefined) checkText(json);
    return json;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw badRequestError(`error decoding YAML: error converting YAML to JSON: yaml: ${lineOf(error)}${error.reason}`);
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

/** The text that starts at the position of the error. */
function lineAt(text: string, error: YAMLException): string {
  return error.mark === undefined ? "" : text.slice(error.mark.position);
}
