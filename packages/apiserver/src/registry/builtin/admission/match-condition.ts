import { CEL_DYN, celEnvironment, celLibraries, formatType } from "@levelset/core";
import type { CelEnvironment, MatchCondition } from "@levelset/core";
import { duplicateField, invalidField, requiredField, tooManyField } from "../../field.ts";
import { isBlank, qualifiedNameErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

const CONDITIONS_MAX = 64;
const NAMES = ["object", "oldObject", "request", "namespaceObject", "variables"];
const environments = new Map<boolean, CelEnvironment>();

/** Made when the first policy comes: most servers never see one. */
function environmentFor(hasParams: boolean): CelEnvironment {
  const known = environments.get(hasParams);
  if (known !== undefined) return known;
  const names = hasParams ? [...NAMES, "params"] : NAMES;
  const variables = Object.fromEntries(names.map((name) => [name, CEL_DYN]));
  const made = celEnvironment({ variables, libraries: celLibraries.all });
  environments.set(hasParams, made);
  return made;
}

/** Conditions in CEL for being asked at all. */
export function* conditionsErrors(
  path: string,
  conditions: Loose<readonly MatchCondition[]>,
  hasParams: boolean,
): Errors {
  if (conditions.length > CONDITIONS_MAX) yield tooManyField(path, conditions.length, CONDITIONS_MAX);
  const names = new Set<string>();
  for (const [index, { name, expression = "" }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    if (expression.trim() === "") yield requiredField(`${at}.expression`);
    else yield* expressionErrors(`${at}.expression`, expression.trim(), "bool", hasParams);
    if (isBlank(name)) {
      yield requiredField(`${at}.name`);
      continue;
    }
    yield* qualifiedNameErrors(`${at}.name`, name);
    if (names.has(name)) yield duplicateField(`${at}.name`, name);
    names.add(name);
  }
}

/** An expression about a request that cannot be compiled, or gives something else than it must. */
export function* expressionErrors(
  path: string,
  expression: string,
  result: "bool" | "string" | "any",
  hasParams: boolean,
): Errors {
  // What can be asked of an authorizer is not known here: such expressions are only read.
  const mode = /\bauthorizer\b/u.test(expression) ? "unchecked" : "checked";
  const compiled = environmentFor(hasParams).compile(expression, { mode });
  if (compiled.kind === "issues") {
    const said = compiled.issues.map(({ message }) => message).join("\n");
    yield invalidField(path, expression, `compilation failed: ${said}`);
    return;
  }
  const { type } = compiled.program;
  if (result === "any" || ["dyn", result].includes(formatType(type))) return;
  yield invalidField(path, expression, `must evaluate to ${result}`);
}
