import {
  CelDouble,
  CelDuration,
  CelError,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  nativeToValue,
  compareStrings,
  celError,
  isInt,
  isList,
  isMap,
  mapGet,
  mapKey,
  mapKeys,
  typeName,
} from "../value/index.ts";
import type { AnyMap, CelList, CelOutcome, CelValue, CostTracker } from "../value/index.ts";
import { formatExponent, formatFixed } from "./decimal.ts";
import { decodeUtf8, encodeUtf8, formatDouble } from "./string-encoding.ts";

/** Maximum precision of a clause. */
const PRECISION_MAX = 100;

/** `"%s is %d".format([a, b])`. */
export function formatString(meter: CostTracker, template: string, args: CelList): CelOutcome {
  let result = "";
  let next = 0;
  for (let index = 0; index < template.length; index += 1) {
    if (template.charAt(index) !== "%") {
      const end = template.indexOf("%", index);
      result += template.slice(index, end === -1 ? undefined : end);
      index = (end === -1 ? template.length : end) - 1;
      continue;
    }
    if (template.charAt(index + 1) === "%") {
      result += "%";
      index += 1;
      continue;
    }
    const clause = /^(?:\.(\d{1,4}))?(.)/su.exec(template.slice(index + 1, index + 10));
    if (clause === null) return celError("could not parse formatting clause: unexpected end of string");
    const formatted = formatClause(clause[2] ?? "", clause[1], args[next], next, meter);
    if (formatted instanceof CelError) return formatted;
    result += formatted;
    next += 1;
    index += clause[0].length;
  }
  return result;
}

function formatClause(
  verb: string,
  digits: string | undefined,
  value: CelValue | undefined,
  index: number,
  meter: CostTracker,
): string | CelError {
  const format = CLAUSES.get(verb);
  if (format === undefined) {
    return celError(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(verb)}`);
  }
  const precision = digits === undefined ? 6 : Number(digits);
  if (precision > PRECISION_MAX) return celError(`could not parse formatting clause: precision over ${PRECISION_MAX}`);
  if (value === undefined) return celError(`index ${index} out of range`);
  const adapted = nativeToValue(value);
  const formatted = format(adapted, precision, meter);
  if (typeof formatted === "string") return formatted;
  return celError(`error during formatting: ${formatted.message}, was given ${typeName(adapted)}`);
}

type Clause = (value: CelValue, precision: number, meter: CostTracker) => string | CelError;

function integer(value: CelValue): bigint | undefined {
  if (isInt(value)) return BigInt(value);
  return value instanceof CelUint ? value.value : undefined;
}

/** Returns the value of a double, or the text of a special value such as NaN. */
function double(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  return isInt(value) || value instanceof CelUint ? Number(integer(value)) : undefined;
}

const decimal: Clause = (value) => {
  const number = integer(value);
  if (number !== undefined) return String(number);
  if (value instanceof CelDouble) return Number.isFinite(value.value) ? formatDouble(value.value) : String(value.value);
  return celError("decimal clause can only be used on integers");
};

const fixed: Clause = (value, precision) => {
  const number = double(value);
  if (number === undefined) return celError("fixed-point clause can only be used on doubles");
  return Number.isFinite(number) ? formatFixed(number, precision) : String(number);
};

const scientific: Clause = (value, precision) => {
  const number = double(value);
  if (number === undefined) return celError("scientific clause can only be used on doubles");
  return Number.isFinite(number) ? formatExponent(number, precision) : String(number);
};

const binary: Clause = (value) => {
  if (typeof value === "boolean") return value ? "1" : "0";
  return integer(value)?.toString(2) ?? celError("only integers and bools can be formatted as binary");
};

const octal: Clause = (value) => {
  return integer(value)?.toString(8) ?? celError("octal clause can only be used on integers");
};

const hex: Clause = (value) => {
  const bytes = typeof value === "string" ? encodeUtf8(value) : value;
  if (bytes instanceof Uint8Array) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const number = integer(value);
  return number?.toString(16) ?? celError("only integers, byte buffers, and strings can be formatted as hex");
};

const upperHex: Clause = (value, precision, meter) => {
  const formatted = hex(value, precision, meter);
  return typeof formatted === "string" ? formatted.toUpperCase() : formatted;
};

const text: Clause = (value, _, meter) => textOf(value, meter);

function textOf(value: CelValue, meter: CostTracker): string | CelError {
  meter.spend(typeof value === "string" ? 1 + value.length * 0.1 : 1);
  if (value === null || typeof value === "boolean" || isInt(value)) return String(value);
  if (typeof value === "string") return value;
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return formatDouble(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof Uint8Array) return decodeUtf8(value) ?? celError("invalid UTF-8");
  if (isList(value)) return joined(listTexts(value, meter), "[", "]");
  if (isMap(value)) return formatMap(value, meter);
  return celError(
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  );
}

function listTexts(list: CelList, meter: CostTracker): readonly (string | CelError)[] {
  return list.map((item) => textOf(nativeToValue(item), meter));
}

function formatMap(map: AnyMap, meter: CostTracker): string | CelError {
  const entries: string[] = [];
  for (const key of mapKeys(map)) {
    const name = textOf(key, meter);
    const value = textOf(nativeToValue(mapGet(map, mapKey(key) ?? "") ?? null), meter);
    if (typeof name !== "string") return name;
    if (typeof value !== "string") return value;
    entries.push(`${name}: ${value}`);
  }
  return joined(entries.toSorted(compareStrings), "{", "}");
}

function joined(parts: readonly (string | CelError)[], open: string, close: string): string | CelError {
  const texts = parts.filter((part) => typeof part === "string");
  return parts.find((part) => part instanceof CelError) ?? `${open}${texts.join(", ")}${close}`;
}

const CLAUSES: ReadonlyMap<string, Clause> = new Map([
  ["s", text],
  ["d", decimal],
  ["f", fixed],
  ["e", scientific],
  ["b", binary],
  ["o", octal],
  ["x", hex],
  ["X", upperHex],
]);
