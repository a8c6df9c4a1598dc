import type { Cursor } from "./cursor.ts";
import type { PathOperand, PathOperator, PathStep } from "./path.ts";
import { parseQuotedString } from "./quote.ts";

const NUMBER = /[+-]?\d+(?:\.\d+)?/y;
const BOOLEAN = /(?:true|false)(?![\w.[])/y;
const OPERATORS: readonly PathOperator[] = ["==", "!=", "<=", ">=", "<", ">"]; // the longest first

/** Parses one side of a comparison; `parsePath` parses the steps of a path. */
export function parseOperand(cursor: Cursor, parsePath: () => readonly PathStep[]): PathOperand {
  if (cursor.startsWith("'") || cursor.startsWith('"')) return { kind: "literal", value: parseQuotedString(cursor) };
  if (cursor.consume("@") || cursor.startsWith(".")) return { kind: "path", steps: parsePath() };
  const boolean = cursor.match(BOOLEAN);
  if (boolean !== undefined) return { kind: "literal", value: boolean[0] === "true" };
  const number = cursor.match(NUMBER);
  if (number !== undefined) return { kind: "literal", value: numberOf(number[0]) };
  throw cursor.error("expected '@', a string, a number, true or false");
}

/** Parses a comparison operator. */
export function parseOperator(cursor: Cursor): PathOperator {
  const operator = OPERATORS.find((candidate) => cursor.consume(candidate));
  if (operator === undefined) throw cursor.error("expected one of == != < <= > >= or ')]'");
  return operator;
}

function numberOf(text: string): number | bigint {
  const double = Number(text);
  return Number.isSafeInteger(double) || text.includes(".") ? double : BigInt(text.replace("+", ""));
}
