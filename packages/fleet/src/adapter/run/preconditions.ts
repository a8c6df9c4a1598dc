import { deepEqual, stringifyJson } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import type { Capture, FieldCondition, Precondition } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import type { RunContext } from "./run-context.ts";
import { Variables } from "./variables.ts";
import { PhaseError } from "./phase-error.ts";

/**
 * Evaluates the preconditions up to the first that is not met. Returns why it is not met, or undefined if all are met.
 * Throws a PhaseError.
 */
export async function checkPreconditions(
  preconditions: readonly Precondition[],
  run: RunContext,
): Promise<string | undefined> {
  for (const precondition of preconditions) {
    const why = await check(precondition, run).catch((error: unknown) => {
      if (!(error instanceof ExpressionError || error instanceof TemplateError)) throw error;
      throw new PhaseError("preconditions", precondition.name, error.message);
    });
    const status = why === undefined ? "success" : "not_met";
    run.trace.preconditions.push({ name: precondition.name, status, ...(why === undefined ? {} : { detail: why }) });
    if (why !== undefined) return `precondition '${precondition.name}' not met: ${why}`;
  }
  return undefined;
}

async function check(precondition: Precondition, run: RunContext): Promise<string | undefined> {
  const { name, call, captures, log, test } = precondition;
  run.log(log, name);
  if (call !== undefined) {
    const { body } = await run.call("preconditions", name, call);
    run.variables.set(name, body);
    for (const capture of captures) takeOut(capture, body, run);
  }
  switch (test.kind) {
    case "none":
      return undefined;
    case "expression":
      return test.expression.holds(run.variables.json) ? undefined : `${test.expression.text} is false`;
    default:
      return test.conditions.map((condition) => unmet(condition, run)).find((why) => why !== undefined);
  }
}

/** Absent values are captured as null: templates print them as `<no value>`. */
function takeOut({ name, source }: Capture, body: JsonValue, run: RunContext): void {
  const value = source.kind === "field" ? (source.path.find(body) ?? source.defaultValue) : computed(source, body, run);
  if (value === undefined) run.world.logger.debug("captured value is absent", { step: name });
  run.variables.set(name, value ?? null);
}

/** Expressions see the fields of the response in addition to all variables. */
function computed(
  { expression }: Extract<Capture["source"], { kind: "expression" }>,
  body: JsonValue,
  run: RunContext,
): JsonValue | undefined {
  const fields = isJsonObject(body) ? body : {};
  const known = new Variables({ ...run.variables.json, ...fields, response: body });
  const result = expression.evaluate(known.json);
  return result.kind === "value" ? result.value : undefined;
}

function unmet({ field, operator, value }: FieldCondition, run: RunContext): string | undefined {
  const actual = field.find(run.variables.json);
  if (isMet(operator, actual, value)) return undefined;
  const expected = operator === "exists" ? "" : ` ${stringifyJson(value ?? null)}`;
  return `${field.text} ${operator}${expected} (actual: ${actual === undefined ? "absent" : stringifyJson(actual)})`;
}

function isMet(
  operator: FieldCondition["operator"],
  actual: JsonValue | undefined,
  value: JsonValue | undefined,
): boolean {
  const among = (): boolean => Array.isArray(value) && value.some((one: JsonValue) => deepEqual(one, actual));
  switch (operator) {
    case "exists":
      return actual !== undefined && actual !== null;
    case "equals":
      return deepEqual(actual, value);
    case "notEquals":
      return !deepEqual(actual, value);
    case "in":
      return among();
    case "notIn":
      return !among();
    case "contains":
      return contains(actual, value);
    case "greaterThan":
      return typeof actual === "number" && typeof value === "number" && actual > value;
    default:
      return typeof actual === "number" && typeof value === "number" && actual < value;
  }
}

function contains(actual: JsonValue | undefined, value: JsonValue | undefined): boolean {
  if (typeof actual === "string") return typeof value === "string" && actual.includes(value);
  if (Array.isArray(actual)) return actual.some((one: JsonValue) => deepEqual(one, value));
  return isJsonObject(actual) && typeof value === "string" && Object.hasOwn(actual, value);
}
