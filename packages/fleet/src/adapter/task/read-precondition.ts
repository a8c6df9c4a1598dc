import type { ExpressionScope } from "./expression-scope.ts";
import { readLogTemplate, readName, readOptionalCall, IDENTIFIER } from "./read-call.ts";
import type { TaskNode } from "./task-node.ts";
import type { Capture, FieldCondition, FieldOperator, Precondition, PreconditionTest } from "./task.ts";

const NAME = /^[a-z][A-Za-z0-9_]*$/u;

const OPERATORS: readonly FieldOperator[] = [
  "equals",
  "notEquals",
  "in",
  "notIn",
  "contains",
  "greaterThan",
  "lessThan",
  "exists",
];

/** Reads the preconditions in order: each may use the responses and captures of the ones before it. */
export function readPreconditions(node: TaskNode, language: ExpressionScope): readonly Precondition[] {
  const usedNames = new Set<string>();
  return node.nodes("preconditions").map((entry) => {
    const name = readName(entry, usedNames, NAME, "an identifier that starts with a lowercase letter");
    const log = readLogTemplate(entry, language);
    const call = readOptionalCall(entry, language);
    if (call !== undefined) language.define(entry, name);
    const captures = entry.nodes("capture").map((capture) => readCapture(capture, language));
    if (captures.length > 0 && call === undefined) entry.problem("capture", "there is no api_call to capture from");
    const test = readTest(entry, language);
    if (test.kind === "none" && call === undefined) {
      entry.problem("", "needs an api_call, an expression or conditions");
    }
    entry.rejectUnknown();
    return { name, log, call, captures, test };
  });
}

function readCapture(node: TaskNode, language: ExpressionScope): Capture {
  const name = node.required("name");
  if (name !== "" && !IDENTIFIER.test(name)) node.problem("name", "must be an identifier of letters, digits and _");
  node.oneOf(["field", "expression"]);
  // The fields of the response are variables too, and are known only at run time.
  const source: Capture["source"] = node.has("field")
    ? { kind: "field", path: language.path(node, "field"), defaultValue: node.value("default") }
    : { kind: "expression", expression: language.expression(node, "expression", true) };
  if (source.kind === "expression" && node.has("default")) {
    node.problem("default", "is only allowed with field: in an expression use orValue");
  }
  node.rejectUnknown();
  language.define(node, name);
  return { name, source };
}

function readTest(entry: TaskNode, language: ExpressionScope): PreconditionTest {
  const conditions = entry.nodes("conditions");
  if (entry.has("expression")) {
    if (conditions.length > 0) entry.problem("", "has both expression and conditions");
    return { kind: "expression", expression: language.expression(entry, "expression") };
  }
  if (conditions.length === 0) return { kind: "none" };
  return { kind: "conditions", conditions: conditions.map((one) => readCondition(one, language)) };
}

function readCondition(node: TaskNode, language: ExpressionScope): FieldCondition {
  const field = language.path(node, "field");
  const [root = ""] = field.text.replace(/^[{.$]+/u, "").split(/[.[}]/u);
  if (root !== "" && !language.has(root)) node.problem("field", `starts with the undefined variable ${root}`);
  const operator = node.choice("operator", OPERATORS);
  if (!node.has("operator")) node.problem("operator", "is missing");
  if (node.has("value") && node.has("values")) node.problem("", "has both value and values");
  const value = node.value("values") ?? node.value("value");
  checkValue(node, operator ?? "exists", value);
  node.rejectUnknown();
  return { field, operator: operator ?? "exists", value };
}

function checkValue(node: TaskNode, operator: FieldOperator, value: unknown): void {
  if (operator === "exists") return;
  if (value === undefined) node.problem("value", "is missing");
  else if ((operator === "in" || operator === "notIn") && !Array.isArray(value))
    node.problem("value", "must be a list");
  else if ((operator === "greaterThan" || operator === "lessThan") && typeof value !== "number") {
    node.problem("value", "must be a number");
  }
}
