import type { Language } from "./language.ts";
import { readLog, readName, readOptionalCall, WORD } from "./read-call.ts";
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

/** Reads the preconditions in their order: each may use the answers and captures of those before it. */
export function readPreconditions(node: TaskNode, language: Language): readonly Precondition[] {
  const taken = new Set<string>();
  return node.nodes("preconditions").map((entry) => {
    const name = readName(entry, taken, NAME, "a word that begins with a small letter");
    const log = readLog(entry, language);
    const call = readOptionalCall(entry, language);
    if (call !== undefined) language.define(entry, name);
    const captures = entry.nodes("capture").map((capture) => readCapture(capture, language));
    if (captures.length > 0 && call === undefined) entry.problem("capture", "there is no api_call to capture from");
    const test = readTest(entry, language);
    if (test.kind === "none" && call === undefined) {
      entry.problem("", "needs an api_call, an expression or conditions");
    }
    entry.end();
    return { name, log, call, captures, test };
  });
}

function readCapture(node: TaskNode, language: Language): Capture {
  const name = node.required("name");
  if (name !== "" && !WORD.test(name)) node.problem("name", "must be a word of letters, digits and _");
  node.oneOf(["field", "expression"]);
  // The fields of the answer are names too, and only the answer tells which.
  const source: Capture["source"] = node.has("field")
    ? { kind: "field", path: language.path(node, "field"), defaultValue: node.value("default") }
    : { kind: "expression", expression: language.expression(node, "expression", true) };
  if (source.kind === "expression" && node.has("default")) {
    node.problem("default", "is for a field: an expression says its default itself, with orValue");
  }
  node.end();
  language.define(node, name);
  return { name, source };
}

function readTest(entry: TaskNode, language: Language): PreconditionTest {
  const conditions = entry.nodes("conditions");
  if (entry.has("expression")) {
    if (conditions.length > 0) entry.problem("", "has both expression and conditions");
    return { kind: "expression", expression: language.expression(entry, "expression") };
  }
  if (conditions.length === 0) return { kind: "none" };
  return { kind: "conditions", conditions: conditions.map((one) => readCondition(one, language)) };
}

function readCondition(node: TaskNode, language: Language): FieldCondition {
  const field = language.path(node, "field");
  const [root = ""] = field.text.replace(/^[{.$]+/u, "").split(/[.[}]/u);
  if (root !== "" && !language.knows(root)) node.problem("field", `begins with ${root}, which nothing defines`);
  const operator = node.choice("operator", OPERATORS);
  if (!node.has("operator")) node.problem("operator", "is missing");
  if (node.has("value") && node.has("values")) node.problem("", "has both value and values");
  const value = node.value("values") ?? node.value("value");
  checkValue(node, operator ?? "exists", value);
  node.end();
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
