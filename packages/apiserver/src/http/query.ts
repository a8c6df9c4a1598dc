import {
  fieldsOf,
  invalidError,
  matchFields,
  matchLabels,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "@levelset/core";
import type { FieldError } from "@levelset/core";
import { badRequest } from "../registry/index.ts";
import type { FieldValidation, Resource, WriteOptions } from "../registry/index.ts";
import type { ApiObject } from "../store/index.ts";

/** Which objects a list or watch is about. */
export type Matcher = (object: ApiObject) => boolean;

/** A matcher and whether it leaves anything out. */
export interface Selection {
  readonly matches: Matcher;
  readonly isEverything: boolean;
}

/** The selection that labelSelector and fieldSelector ask for. Throws BadRequest. */
export function selectionOf(query: URLSearchParams, resource: Resource): Selection {
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  if (labels === "" && fields === "") return { matches: () => true, isEverything: true };
  const labelSelector = readSelector("labelSelector", labels, parseLabelSelector);
  const fieldSelector = readSelector("fieldSelector", fields, parseFieldSelector);
  const known = resource.scope === "Namespaced" ? ["metadata.name", "metadata.namespace"] : ["metadata.name"];
  for (const field of fieldsOf(fieldSelector)) {
    if (known.includes(field) || isKnownFieldOf(resource, field)) continue;
    throw badRequest(
      `Unable to find "${resource.group === "" ? "" : `${resource.group}/`}${resource.version}, Resource=${resource.plural}" ` +
        `that match label selector "${labels}", field selector "${fields}": field label not supported: ${field}`,
    );
  }
  return {
    isEverything: false,
    matches: (object) =>
      matchLabels(labelSelector, object.metadata.labels) &&
      matchFields(fieldSelector, (field) => fieldOf(object, field)),
  };
}

function isKnownFieldOf(resource: Resource, field: string): boolean {
  if (resource.id === "secrets") return field === "type";
  return resource.id === "namespaces" && field === "status.phase";
}

function fieldOf(object: ApiObject, field: string): string | undefined {
  let value: unknown = object;
  for (const part of field.split(".")) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }
  return typeof value === "string" ? value : undefined;
}

function readSelector<T>(parameter: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError)
      throw badRequest(`unable to parse ${parameter} ${JSON.stringify(text)}: ${error.message}`);
    throw error;
  }
}

/** A boolean parameter, read as Go reads it. */
export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  // An empty value counts as given, as in `?watch`.
  return !["0", "f", "F", "false", "FALSE", "False"].includes(text);
}

/** A whole number that is not negative; undefined when absent. Throws BadRequest. */
export function whole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (!/^\d+$/u.test(text) || !Number.isSafeInteger(value)) {
    throw badRequest(`invalid ${name} ${JSON.stringify(text)}: not a whole number`);
  }
  return value;
}

/** Refuses parameters that contradict each other. */
export function refuse(subject: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: subject, group: "meta.k8s.io", name: "" }, errors);
}

/** dryRun and fieldValidation. */
export function writeOptionsOf(query: URLSearchParams, subject: string): WriteOptions {
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  const unknown = dryRun.find((value) => value !== "All");
  if (unknown !== undefined) {
    const message = `Unsupported value: ${JSON.stringify(unknown)}: supported values: "All"`;
    refuse(subject, [{ reason: "FieldValueNotSupported", field: "dryRun", message }]);
  }
  return { dryRun: dryRun.length > 0, fieldValidation: fieldValidationOf(query, subject) };
}

function fieldValidationOf(query: URLSearchParams, subject: string): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "Strict" || value === "Warn" || value === "Ignore") return value;
  if (value !== "") {
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`;
    refuse(subject, [{ reason: "FieldValueNotSupported", field: "fieldValidation", message }]);
  }
  return "Warn";
}
