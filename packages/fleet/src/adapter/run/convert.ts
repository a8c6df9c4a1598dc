import type { JsonValue } from "@levelset/core";
import type { ParamType } from "../task/index.ts";

const YES = ["true", "t", "yes", "y", "on", "1"];
const NO = ["false", "f", "no", "n", "off", "0"];

/** Converts a value to a type; undefined if it cannot be converted. */
export function convert(value: JsonValue, type: ParamType): JsonValue | undefined {
  switch (type) {
    case "string":
      return typeof value === "object" ? undefined : String(value);
    case "bool":
      return typeof value === "object" ? undefined : bool(String(value).trim().toLowerCase());
    case "int": {
      const number = toNumber(value);
      return number === undefined ? undefined : Math.trunc(number);
    }
    default:
      return toNumber(value);
  }
}

function bool(text: string): boolean | undefined {
  return YES.includes(text) ? true : NO.includes(text) ? false : undefined;
}

function toNumber(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  const text = typeof value === "string" ? value.trim() : "";
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
