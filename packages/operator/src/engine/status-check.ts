import { childPath, jsonForm, parseJson, stringifyJson, textProblem } from "@levelset/core/internal";
import { pruneUnknownFields } from "@levelset/core/schema";
import type { AnyCustomKind } from "@levelset/core";

/** The result of {@link checkStatus}. Problems name fields and never contain their values. */
export type StatusCheck<Status> =
  | { readonly kind: "valid" }
  /** It contains values that JSON cannot express. */
  | { readonly kind: "invalid"; readonly problem: string }
  /** It contains fields that the API server drops. `declared` is the status without them. */
  | { readonly kind: "undeclared"; readonly problem: string; readonly declared: Status };

/** Maximum number of fields that a message names. */
const FIELDS_MAX = 10;

/**
 * Checks what steps wrote to a status: JavaScript silently drops values without a JSON form, and an API server drops
 * fields that the kind does not declare. Ignores `conditions` and `observedGeneration`, which the engine writes.
 */
export function checkStatus<Status extends object>(kind: AnyCustomKind, status: Status): StatusCheck<Status> {
  const { conditions, observedGeneration, ...own } = Object.fromEntries<unknown>(Object.entries(status));
  const invalid = invalidValues(own, "status", []);
  if (invalid.length > 0) return { kind: "invalid", problem: `${list(invalid)}: JSON cannot express this` };
  const schema = kind.schema.properties?.["status"] ?? {};
  // The JSON form has no undefined members.
  const { value, dropped } = pruneUnknownFields(schema, parseJson(stringifyJson(own)));
  if (dropped.length === 0) return { kind: "valid" };
  const fields = list(dropped.map((path) => `status.${path}`));
  const problem = `the status of ${kind.kind} does not declare ${fields}, so the server drops it: declare it in the kind`;
  // The status without some of its optional fields.
  const declared = { ...(value as object), observedGeneration, conditions } as Status;
  return { kind: "undeclared", problem, declared };
}

function list(problems: readonly string[]): string {
  const more = problems.length - FIELDS_MAX;
  return [...problems.slice(0, FIELDS_MAX), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Returns the paths of values without a JSON form, and what they are. `parents` are the objects around the value. */
function invalidValues(value: unknown, path: string, parents: readonly object[]): readonly string[] {
  if (typeof value !== "object" || value === null) return scalarProblem(value, path);
  if (parents.includes(value)) return [`${path} refers to an object that contains it`];
  const form = jsonForm(value);
  if (typeof form !== "object" || form === null) return scalarProblem(form, path);
  const around = [...parents, value];
  if (Array.isArray(form)) {
    // A loop by index also visits the gaps of a sparse array.
    return Array.from(form, (item: unknown, index) =>
      item === undefined ? [`${path}[${index}] is undefined`] : invalidValues(item, childPath(path, index), around),
    ).flat();
  }
  const type = Object.prototype.toString.call(form).slice("[object ".length, -1);
  if (type !== "Object") return [`${path} is a ${type}`];
  return Object.entries(form).flatMap(([name, member]) =>
    member === undefined ? [] : invalidValues(member, childPath(path, name), around),
  );
}

function scalarProblem(value: unknown, path: string): readonly string[] {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? [] : [`${path} is ${value}`];
    case "string": {
      const problem = textProblem(value);
      return problem === undefined ? [] : [`${path} ${problem}`];
    }
    case "function":
    case "symbol":
      return [`${path} is a ${typeof value}`];
    default:
      return [];
  }
}
