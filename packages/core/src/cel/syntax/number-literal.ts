import { CelDouble, CelUint, INT_MAX, INT_MIN, UINT_MAX, intOf } from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import { CelSyntaxError } from "./syntax-error.ts";

/** Parses a number literal with an optional minus sign. */
export function readNumber(text: string, isNegative: boolean, at: number): CelValue {
  const sign = isNegative ? "-" : "";
  if (text.startsWith("0x") || /^\d+[uU]?$/.test(text)) return readInteger(text, isNegative, at);
  const value = Number(`${sign}${text}`);
  if (!Number.isFinite(value)) throw new CelSyntaxError(`invalid double literal '${sign}${text}'`, at);
  return new CelDouble(value);
}

function readInteger(text: string, isNegative: boolean, at: number): CelValue {
  const isUnsigned = /[uU]$/.test(text);
  const magnitude = BigInt(isUnsigned ? text.slice(0, -1) : text);
  const value = isNegative ? -magnitude : magnitude;
  if (isUnsigned) {
    if (isNegative) throw new CelSyntaxError("an unsigned literal has no sign", at);
    if (value > UINT_MAX) throw new CelSyntaxError(`invalid uint literal '${text.slice(0, 40)}'`, at);
    return new CelUint(value);
  }
  if (value < INT_MIN || value > INT_MAX) throw new CelSyntaxError(`invalid int literal '${text.slice(0, 40)}'`, at);
  return intOf(value);
}
