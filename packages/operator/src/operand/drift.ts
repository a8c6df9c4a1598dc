import { applyJsonPatch, isJsonObject, parsePointer, PointerError } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import type { Body } from "./body.ts";
import type { LiveRef } from "./live-ref.ts";

/** Fields that may differ once an object is there. */
export interface IgnoreRule {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** JSON pointers. */
  readonly fields: readonly string[];
}

/** What is wrong with such rules: a field that cannot be understood would silently not be left alone. */
export function ignoreProblems(rules: readonly IgnoreRule[]): readonly string[] {
  return rules.flatMap(({ fields }, rule) =>
    fields.flatMap((pointer, field) => {
      const problem = pointerProblem(pointer);
      return problem === undefined
        ? []
        : `drift.ignore[${rule}].fields[${field}]: ${JSON.stringify(pointer)}: ${problem}`;
    }),
  );
}

function pointerProblem(pointer: string): string | undefined {
  if (pointer === "") return "this is the whole object: say mode Ignore in an annotation of it";
  try {
    parsePointer(pointer);
    return undefined;
  } catch (error) {
    if (!(error instanceof PointerError)) throw error;
    return error.message;
  }
}

/**
 * What is applied onto an object, with the fields that may differ as they are there: leaving them out would take them away, for they
 * are ours.
 */
export function withIgnored(body: Body, live: KubeObject, ref: LiveRef, rules: readonly IgnoreRule[]): Body {
  const pointers = rules.filter((rule) => concerns(rule, ref)).flatMap(({ fields }) => fields);
  let result: JsonObject = body;
  for (const pointer of pointers) {
    const there = at(live as unknown as JsonValue, pointer);
    const said = at(result, pointer);
    if (said === undefined || there === undefined) continue;
    result = applyJsonPatch(result, [{ op: "replace", path: pointer, value: there }]) as JsonObject;
  }
  return result as Body;
}

function concerns(rule: IgnoreRule, ref: LiveRef): boolean {
  return (["group", "kind", "namespace", "name"] as const).every((field) => (rule[field] ?? ref[field]) === ref[field]);
}

/** The value under a JSON pointer; undefined when there is none. */
function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of parsePointer(pointer)) {
    if (Array.isArray(found)) found = /^\d+$/u.test(name) ? (found as readonly JsonValue[])[Number(name)] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}
