import { applyJsonPatch, parseJsonPointer, JsonPointerError } from "@levelset/core/apply";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import type { LiveRef } from "./live-ref.ts";

/** Fields that may differ from the manifest once the object exists. */
export interface IgnoreRule {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** JSON pointers (RFC 6901). */
  readonly fields: readonly string[];
}

/** Returns the problems of ignore rules, so that an invalid pointer is not silently ineffective. */
export function validateIgnoreRules(rules: readonly IgnoreRule[]): readonly string[] {
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
  if (pointer === "") return "selects the whole object: set the annotation operand.levelset.dev/mode to Ignore instead";
  try {
    parseJsonPointer(pointer);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonPointerError)) throw error;
    return error.message;
  }
}

/**
 * Returns the apply body with the live values of ignored fields. Omitting these fields would remove them, because we
 * own them.
 */
export function keepIgnoredFields<Body extends JsonObject>(
  body: Body,
  live: KubeObject,
  ref: LiveRef,
  rules: readonly IgnoreRule[],
): Body {
  let result: JsonObject = body;
  for (const pointer of ignoredPointers(ref, rules)) {
    const there = at(live as unknown as JsonValue, pointer);
    const declared = at(result, pointer);
    if (declared === undefined || there === undefined) continue;
    result = applyJsonPatch(result, [{ op: "replace", path: pointer, value: there }]) as JsonObject;
  }
  // Each replaced field has a value in the body.
  return result as Body;
}

/** Returns the JSON pointers of the fields that may differ in an object. */
export function ignoredPointers(ref: LiveRef, rules: readonly IgnoreRule[]): readonly string[] {
  return rules.filter((rule) => concerns(rule, ref)).flatMap(({ fields }) => fields);
}

function concerns(rule: IgnoreRule, ref: LiveRef): boolean {
  return (["group", "kind", "namespace", "name"] as const).every((field) => (rule[field] ?? ref[field]) === ref[field]);
}

/** Returns the value at a JSON pointer; undefined if it is missing. */
function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of parseJsonPointer(pointer)) {
    if (Array.isArray(found)) found = /^\d+$/u.test(name) ? (found as readonly JsonValue[])[Number(name)] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}
