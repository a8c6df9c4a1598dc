import { CelDouble, CelUint, isInt } from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import type { Expr, FoldExpr, FoldKind } from "./expression.ts";

/** Formats an expression as text that parses to the same tree, apart from locations. */
export function unparse(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return literal(expr.value);
    case "ident":
      return expr.name;
    case "select": {
      const selected = `${operand(expr.operand)}.${expr.mode === "optional" ? "?" : ""}${fieldName(expr.field)}`;
      return expr.mode === "test" ? `has(${selected})` : selected;
    }
    case "call":
      return call(expr);
    case "list":
      return `[${expr.items.map(({ value, optional }) => `${mark(optional)}${unparse(value)}`).join(", ")}]`;
    case "map": {
      const entries = expr.entries.map(
        ({ key, value, optional }) => `${mark(optional)}${unparse(key)}: ${unparse(value)}`,
      );
      return `{${entries.join(", ")}}`;
    }
    case "struct": {
      const fields = expr.fields.map(
        ({ name, value, optional }) => `${mark(optional)}${fieldName(name)}: ${unparse(value)}`,
      );
      return `${expr.type}{${fields.join(", ")}}`;
    }
    case "fold":
      return fold(expr);
    case "bind":
      return `cel.bind(${expr.name}, ${unparse(expr.value)}, ${unparse(expr.body)})`;
    case "optMap":
      return `${operand(expr.target)}.${expr.flat ? "optFlatMap" : "optMap"}(${expr.name}, ${unparse(expr.body)})`;
    default:
      return expr satisfies never;
  }
}

function mark(optional: boolean): string {
  return optional ? "?" : "";
}

function fieldName(name: string): string {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !["in", "true", "false", "null"].includes(name);
  return isName ? name : `\`${name}\``;
}

/** Formats an operand, with parentheses around operators and signs. */
function operand(expr: Expr): string {
  const isOperator = expr.kind === "call" && /^[_@!-]/.test(expr.name) && !expr.name.startsWith("_[");
  const isSigned = expr.kind === "literal" && literal(expr.value).startsWith("-");
  return isOperator || isSigned ? `(${unparse(expr)})` : unparse(expr);
}

function call({ name, target, args }: Extract<Expr, { kind: "call" }>): string {
  const [first, second, third] = args;
  if (target === undefined && first !== undefined) {
    if (name === "_&&_" || name === "_||_") return args.map(operand).join(` ${name.slice(1, -1)} `);
    if (name === "!_" || name === "-_") return `${name.charAt(0)}(${unparse(first)})`;
    if (second !== undefined && third !== undefined && name === "_?_:_") {
      return `${operand(first)} ? ${operand(second)} : ${operand(third)}`;
    }
    if (second !== undefined && name === "_[_]") return `${operand(first)}[${unparse(second)}]`;
    if (second !== undefined && name === "_[?_]") return `${operand(first)}[?${unparse(second)}]`;
    if (second !== undefined && name === "@in") return `${operand(first)} in ${operand(second)}`;
    if (second !== undefined && /^_.+_$/.test(name)) return `${operand(first)} ${name.slice(1, -1)} ${operand(second)}`;
  }
  const list = args.map(unparse).join(", ");
  return target === undefined ? `${name}(${list})` : `${operand(target)}.${name}(${list})`;
}

const FOLD_NAMES: Readonly<Record<FoldKind, string>> = {
  all: "all",
  exists: "exists",
  existsOne: "exists_one",
  map: "map",
  filter: "filter",
  transformList: "transformList",
  transformMap: "transformMap",
  transformMapEntry: "transformMapEntry",
  sortBy: "sortBy",
};

function fold(expr: FoldExpr): string {
  const parts = [...expr.variables, ...(expr.filter === undefined ? [] : [unparse(expr.filter)]), unparse(expr.body)];
  return `${operand(expr.range)}.${FOLD_NAMES[expr.fold]}(${parts.join(", ")})`;
}

function literal(value: CelValue): string {
  if (typeof value === "string") return quote(value);
  if (isInt(value) || value === null || typeof value === "boolean") return String(value);
  if (value instanceof CelUint) return `${value.value}u`;
  if (value instanceof CelDouble) return double(value.value);
  if (value instanceof Uint8Array) {
    return `b"${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
  }
  return "null"; // the parser creates no other literals
}

function double(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^\x20-\x7e]/gu, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
  });
  return `"${escaped}"`;
}
