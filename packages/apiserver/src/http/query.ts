import { invalidError, matchLabels, parseFieldSelector, parseLabelSelector, SelectorError } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import { badRequest, fieldMatcher, prefixOfBytes } from "../registry/index.ts";
import type { FieldValidation, Resource, View, WriteOptions } from "../registry/index.ts";
import type { ApiRequest } from "./exchange.ts";

/** Which objects a list or watch is about. Looks into them only where it has to. */
export type Matcher = (view: Pick<View, "object">) => boolean;

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
  const matchesFields = fieldMatcher(resource, fieldSelector);
  return {
    isEverything: false,
    matches: ({ object }) => matchLabels(labelSelector, object.metadata.labels) && matchesFields(object),
  };
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

const INT64_MAX = 2n ** 63n - 1n;

/** A whole number of 64 bits; undefined when absent. Numbers beyond 2^53 are cut there. Throws BadRequest. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const why = integerProblem(text, /^[+-]?\d+$/u, INT64_MAX);
  if (why !== undefined) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/** The revision that a request names; undefined for none, which is another thing than 0. Throws BadRequest. */
export function revisionOf(query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") return undefined;
  const why = integerProblem(text, /^\d+$/u, 2n * INT64_MAX + 1n);
  if (why === undefined) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ` +
      `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`,
  );
}

function integerProblem(text: string, syntax: RegExp, max: bigint): string | undefined {
  if (!syntax.test(text)) return "invalid syntax";
  const value = BigInt(text.replace(/^\+/u, ""));
  return value > max || value < -max - 1n ? "value out of range" : undefined;
}

/** Refuses parameters that contradict each other. */
export function refuse(subject: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: subject, group: "meta.k8s.io", name: "" }, errors);
}

/** dryRun, fieldValidation and fieldManager; who names no manager is known by the first word of its User-Agent. */
export function writeOptionsOf(
  query: URLSearchParams,
  subject: string,
  request: Pick<ApiRequest, "headers">,
): WriteOptions {
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  const unknown = dryRun.find((value) => value !== "All");
  if (unknown !== undefined) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    refuse(subject, [{ reason: "FieldValueNotSupported", field: "dryRun", message }]);
  }
  const fieldValidation = fieldValidationOf(query, subject);
  return { dryRun: dryRun.length > 0, fieldValidation, fieldManager: fieldManagerOf(query, subject, request) };
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

const FIELD_MANAGER_MAX = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Nearly all are made of these alone, which is much faster to see. */
const PLAIN = /^[ -~]+$/u;

function fieldManagerOf(query: URLSearchParams, subject: string, request: Pick<ApiRequest, "headers">): string {
  const given = query.get("fieldManager") ?? "";
  if (given === "") {
    const [agent = ""] = (request.headers.get("user-agent") ?? "").split("/", 1);
    return prefixOfBytes(agent.replaceAll(UNPRINTABLE, ""), FIELD_MANAGER_MAX);
  }
  if (given.length <= FIELD_MANAGER_MAX && PLAIN.test(given)) return given;
  const isLong = Buffer.byteLength(given) > FIELD_MANAGER_MAX;
  const long = `Too long: may not be more than ${FIELD_MANAGER_MAX} bytes`;
  refuse(subject, [
    ...(isLong ? [{ reason: "FieldValueTooLong", field: "fieldManager", message: long } as const] : []),
    ...[...given.matchAll(UNPRINTABLE)].map(({ 0: found, index }) => {
      const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const message = `Invalid value: ${JSON.stringify(given)}: invalid character U+${code} (at position ${index})`;
      return { reason: "FieldValueInvalid", field: "fieldManager", message } as const;
    }),
  ]);
  return given;
}

/** What only an applied configuration may ask for: to take fields away from their owners. Throws Invalid. */
export function forceOf(query: URLSearchParams, isApply: boolean): boolean {
  const force = flag(query, "force");
  const forbidden = "Forbidden: may not be specified for non-apply patch";
  const required = "Required value: is required for apply patch";
  if (!isApply && force !== undefined) {
    refuse("PatchOptions", [{ reason: "FieldValueForbidden", field: "force", message: forbidden }]);
  }
  if (isApply && (query.get("fieldManager") ?? "") === "") {
    refuse("PatchOptions", [{ reason: "FieldValueRequired", field: "fieldManager", message: required }]);
  }
  return force === true;
}
