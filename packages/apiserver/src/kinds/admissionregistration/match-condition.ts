import { CEL_DYN, celEnvironment, celLibraries, formatType } from "@levelset/core/cel";
import type { CelEnvironment } from "@levelset/core/cel";
import type { MatchCondition } from "@levelset/core";
import { duplicateField, invalidField, requiredField, tooManyField } from "../../resource/index.ts";
import { isEmptyString, qualifiedNameErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Unvalidated } from "../unvalidated.ts";

const CONDITIONS_MAX = 64;
const NAMES = ["object", "oldObject", "request", "namespaceObject", "variables"];
const environments = new Map<boolean, CelEnvironment>();

/** Creates the CEL environment on first use. */
function environmentFor(hasParams: boolean): CelEnvironment {
  const known = environments.get(hasParams);
  if (known !== undefined) return known;
  const names = hasParams ? [...NAMES, "params"] : NAMES;
  const variables = Object.fromEntries(names.map((name) => [name, CEL_DYN]));
  const made = celEnvironment({ variables, libraries: celLibraries.all });
  environments.set(hasParams, made);
  return made;
}

/** Validates matchConditions. */
export function* matchConditionsErrors(
  path: string,
  conditions: Unvalidated<readonly MatchCondition[]>,
  hasParams: boolean,
): FieldErrors {
  if (conditions.length > CONDITIONS_MAX) yield tooManyField(path, conditions.length, CONDITIONS_MAX);
  const names = new Set<string>();
  for (const [index, { name, expression = "" }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    if (expression.trim() === "") yield requiredField(`${at}.expression`);
    else yield* expressionErrors(`${at}.expression`, expression.trim(), "bool", hasParams);
    if (isEmptyString(name)) {
      yield requiredField(`${at}.name`);
      continue;
    }
    yield* qualifiedNameErrors(`${at}.name`, name);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    names.add(name);
  }
}

/** Validates a CEL expression: it must compile and have the expected result type. */
export function* expressionErrors(
  path: string,
  expression: string,
  result: "bool" | "string" | "any",
  hasParams: boolean,
): FieldErrors {
  // The authorizer library is not available here, so expressions with `authorizer` are parsed but not type-checked.
  const mode = /\bauthorizer\b/u.test(expression) ? "unchecked" : "checked";
  const compiled = environmentFor(hasParams).compile(expression, { mode });
  if (compiled.kind === "issues") {
    const messages = compiled.issues.map(({ message }) => message).join("\n");
    yield invalidField(path, expression, `compilation failed: ${messages}`);
    return;
  }
  const { type } = compiled.program;
  if (result === "any" || ["dyn", result].includes(formatType(type))) return;
  yield invalidField(path, expression, `must evaluate to ${result}`);
}
