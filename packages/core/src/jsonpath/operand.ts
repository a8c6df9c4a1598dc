import type { Cursor } from "./cursor.ts";
import type { PathOperand, PathOperator, PathStep } from "./path.ts";
import { quotedText } from "./quote.ts";

const NUMBER = /[+-]?\d+(?:\.\d+)?/y;
const BOOLEAN = /(?:true|false)(?![\w.[])/y;
const OPERATORS: readonly PathOperator[] = ["==", "!=", "<=", ">=", "<", ">"]; // the longest first

/** Reads one side of a comparison; `parsePath` reads the steps of a path. */
export function parseOperand(cursor: Cursor, parsePath: () => readonly PathStep[]): PathOperand {
  if (cursor.sees("'") || cursor.sees('"')) return { kind: "literal", value: quotedText(cursor) };
  if (cursor.eat("@") || cursor.sees(".")) return { kind: "path", steps: parsePath() };
  const boolean = cursor.match(BOOLEAN);
  if (boolean !== undefined) return { kind: "literal", value: boolean[0] === "true" };
  const number = cursor.match(NUMBER);
  if (number !== undefined) return { kind: "literal", value: numberOf(number[0]) };
  throw cursor.fail("expected '@', a string, a number, true or false");
}

/** Reads a comparison operator. */
export function parseOperator(cursor: Cursor): PathOperator {
  const operator = OPERATORS.find((candidate) => cursor.eat(candidate));
  if (operator === undefined) throw cursor.fail("expected one of == != < <= > >= or ')]'");
  return operator;
}

function numberOf(text: string): number | bigint {
  const double = Number(text);
  return Number.isSafeInteger(double) || text.includes(".") ? double : BigInt(text.replace("+", ""));
}
