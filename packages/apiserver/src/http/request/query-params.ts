import { invalidError } from "@levelset/core/internal";
import { matchesLabelSelector, parseFieldSelector, parseLabelSelector, SelectorError } from "@levelset/core/schema";
import type { FieldError } from "@levelset/core/schema";
import { badRequestError, fieldMatcher } from "../../resource/index.ts";
import { prefixOfBytes } from "../../registry/index.ts";
import type { FieldValidation, VersionedObject, WriteOptions } from "../../registry/index.ts";
import type { Resource } from "../../resource/index.ts";
import type { ApiRequest } from "./api-request.ts";

/** Whether a list or watch includes an object. Decodes the object only if necessary. */
export type ObjectMatcher = (view: Pick<VersionedObject, "object">) => boolean;

/** A matcher, and whether it matches all objects. */
export interface SelectionPredicate {
  readonly matches: ObjectMatcher;
  readonly matchesEverything: boolean;
}

/** Returns the predicate of labelSelector and fieldSelector. Throws BadRequest. */
export function selectionPredicateOf(query: URLSearchParams, resource: Resource): SelectionPredicate {
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  if (labels === "" && fields === "") return { matches: () => true, matchesEverything: true };
  const labelSelector = readSelector("labelSelector", labels, parseLabelSelector);
  const fieldSelector = readSelector("fieldSelector", fields, parseFieldSelector);
  const matchesFields = fieldMatcher(resource, fieldSelector);
  return {
    matchesEverything: false,
    matches: ({ object }) => matchesLabelSelector(labelSelector, object.metadata.labels) && matchesFields(object),
  };
}

function readSelector<T>(parameter: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError)
      throw badRequestError(`unable to parse ${parameter} ${JSON.stringify(text)}: ${error.message}`);
    throw error;
  }
}

/** Parses a boolean parameter like Go's strconv.ParseBool. */
export function booleanParam(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  // An empty value counts as true, as in `?watch`.
  return !["0", "f", "F", "false", "FALSE", "False"].includes(text);
}

const INT64_MAX = 2n ** 63n - 1n;

/** Parses a 64-bit integer; undefined if absent. Values beyond 2^53 are clamped. Throws BadRequest. */
export function integerParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const why = integerProblem(text, /^[+-]?\d+$/u, INT64_MAX);
  if (why !== undefined) throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/** Parses resourceVersion; undefined if absent, which differs from 0. Throws BadRequest. */
export function resourceVersionParam(query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") return undefined;
  const why = integerProblem(text, /^\d+$/u, 2n * INT64_MAX + 1n);
  if (why === undefined) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  throw badRequestError(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ` +
      `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`,
  );
}

function integerProblem(text: string, syntax: RegExp, max: bigint): string | undefined {
  if (!syntax.test(text)) return "invalid syntax";
  const value = BigInt(text.replace(/^\+/u, ""));
  return value > max || value < -max - 1n ? "value out of range" : undefined;
}

/** Throws Invalid if there are errors. */
export function throwInvalidParams(subject: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: subject, group: "meta.k8s.io", name: "" }, errors);
}

/**
 * Parses dryRun, fieldValidation and fieldManager. The manager defaults to the first token of the User-Agent. Throws
 * Invalid.
 */
export function parseWriteOptions(
  query: URLSearchParams,
  subject: string,
  request: Pick<ApiRequest, "headers">,
): WriteOptions {
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  const unknown = dryRun.find((value) => value !== "All");
  if (unknown !== undefined) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    throwInvalidParams(subject, [{ reason: "FieldValueNotSupported", field: "dryRun", message }]);
  }
  const fieldValidation = fieldValidationOf(query, subject);
  return { dryRun: dryRun.length > 0, fieldValidation, fieldManager: fieldManagerOf(query, subject, request) };
}

function fieldValidationOf(query: URLSearchParams, subject: string): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "Strict" || value === "Warn" || value === "Ignore") return value;
  if (value !== "") {
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`;
    throwInvalidParams(subject, [{ reason: "FieldValueNotSupported", field: "fieldValidation", message }]);
  }
  return "Warn";
}

const FIELD_MANAGER_MAX = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Fast path: nearly all names match. */
const PLAIN = /^[ -~]+$/u;

function fieldManagerOf(query: URLSearchParams, subject: string, request: Pick<ApiRequest, "headers">): string {
  const name = query.get("fieldManager") ?? "";
  if (name === "") {
    const [agent = ""] = (request.headers.get("user-agent") ?? "").split("/", 1);
    return prefixOfBytes(agent.replaceAll(UNPRINTABLE, ""), FIELD_MANAGER_MAX);
  }
  if (name.length <= FIELD_MANAGER_MAX && PLAIN.test(name)) return name;
  const isLong = Buffer.byteLength(name) > FIELD_MANAGER_MAX;
  const long = `Too long: may not be more than ${FIELD_MANAGER_MAX} bytes`;
  throwInvalidParams(subject, [
    ...(isLong ? [{ reason: "FieldValueTooLong", field: "fieldManager", message: long } as const] : []),
    ...[...name.matchAll(UNPRINTABLE)].map(({ 0: found, index }) => {
      const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const message = `Invalid value: ${JSON.stringify(name)}: invalid character U+${code} (at position ${index})`;
      return { reason: "FieldValueInvalid", field: "fieldManager", message } as const;
    }),
  ]);
  return name;
}

/** Parses `force`, which only apply patches accept: take over fields of other managers. Throws Invalid. */
export function parseForce(query: URLSearchParams, isApply: boolean): boolean {
  const force = booleanParam(query, "force");
  const forbidden = "Forbidden: may not be specified for non-apply patch";
  const required = "Required value: is required for apply patch";
  if (!isApply && force !== undefined) {
    throwInvalidParams("PatchOptions", [{ reason: "FieldValueForbidden", field: "force", message: forbidden }]);
  }
  if (isApply && (query.get("fieldManager") ?? "") === "") {
    throwInvalidParams("PatchOptions", [{ reason: "FieldValueRequired", field: "fieldManager", message: required }]);
  }
  return force === true;
}
