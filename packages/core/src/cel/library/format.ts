import {
  CelDouble,
  CelDuration,
  CelFault,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  adapt,
  compareStrings,
  fault,
  isInt,
  isList,
  isMap,
  mapGet,
  mapKey,
  mapKeys,
  typeName,
} from "../value/index.ts";
import type { AnyMap, CelList, CelOutcome, CelValue, Meter } from "../value/index.ts";
import { formatExponent, formatFixed } from "./decimal.ts";
import { decodeText, encodeText, formatDouble } from "./text.ts";

/** How many digits a clause may ask for. */
const PRECISION_MAX = 100;

/** `"%s is %d".format([a, b])`. */
export function formatText(meter: Meter, template: string, args: CelList): CelOutcome {
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
    if (clause === null) return fault("could not parse formatting clause: unexpected end of string");
    const formatted = formatClause(clause[2] ?? "", clause[1], args[next], next, meter);
    if (formatted instanceof CelFault) return formatted;
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
  meter: Meter,
): string | CelFault {
  const format = CLAUSES.get(verb);
  if (format === undefined) {
    return fault(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(verb)}`);
  }
  const precision = digits === undefined ? 6 : Number(digits);
  if (precision > PRECISION_MAX) return fault(`could not parse formatting clause: precision over ${PRECISION_MAX}`);
  if (value === undefined) return fault(`index ${index} out of range`);
  const adapted = adapt(value);
  const formatted = format(adapted, precision, meter);
  if (typeof formatted === "string") return formatted;
  return fault(`error during formatting: ${formatted.message}, was given ${typeName(adapted)}`);
}

type Clause = (value: CelValue, precision: number, meter: Meter) => string | CelFault;

function integer(value: CelValue): bigint | undefined {
  if (isInt(value)) return BigInt(value);
  return value instanceof CelUint ? value.value : undefined;
}

/** The value of a double, or a text that stands for one which has no digits. */
function double(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  return isInt(value) || value instanceof CelUint ? Number(integer(value)) : undefined;
}

const decimal: Clause = (value) => {
  const number = integer(value);
  if (number !== undefined) return String(number);
  if (value instanceof CelDouble) return Number.isFinite(value.value) ? formatDouble(value.value) : String(value.value);
  return fault("decimal clause can only be used on integers");
};

const fixed: Clause = (value, precision) => {
  const number = double(value);
  if (number === undefined) return fault("fixed-point clause can only be used on doubles");
  return Number.isFinite(number) ? formatFixed(number, precision) : String(number);
};

const scientific: Clause = (value, precision) => {
  const number = double(value);
  if (number === undefined) return fault("scientific clause can only be used on doubles");
  return Number.isFinite(number) ? formatExponent(number, precision) : String(number);
};

const binary: Clause = (value) => {
  if (typeof value === "boolean") return value ? "1" : "0";
  return integer(value)?.toString(2) ?? fault("only integers and bools can be formatted as binary");
};

const octal: Clause = (value) => {
  return integer(value)?.toString(8) ?? fault("octal clause can only be used on integers");
};

const hex: Clause = (value) => {
  const bytes = typeof value === "string" ? encodeText(value) : value;
  if (bytes instanceof Uint8Array) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const number = integer(value);
  return number?.toString(16) ?? fault("only integers, byte buffers, and strings can be formatted as hex");
};

const upperHex: Clause = (value, precision, meter) => {
  const formatted = hex(value, precision, meter);
  return typeof formatted === "string" ? formatted.toUpperCase() : formatted;
};

const text: Clause = (value, _, meter) => textOf(value, meter);

function textOf(value: CelValue, meter: Meter): string | CelFault {
  meter.spend(typeof value === "string" ? 1 + value.length * 0.1 : 1);
  if (value === null || typeof value === "boolean" || isInt(value)) return String(value);
  if (typeof value === "string") return value;
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return formatDouble(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof Uint8Array) return decodeText(value) ?? fault("invalid UTF-8");
  if (isList(value)) return joined(listTexts(value, meter), "[", "]");
  if (isMap(value)) return formatMap(value, meter);
  return fault(
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  );
}

function listTexts(list: CelList, meter: Meter): readonly (string | CelFault)[] {
  return list.map((item) => textOf(adapt(item), meter));
}

function formatMap(map: AnyMap, meter: Meter): string | CelFault {
  const entries: string[] = [];
  for (const key of mapKeys(map)) {
    const name = textOf(key, meter);
    const value = textOf(adapt(mapGet(map, mapKey(key) ?? "") ?? null), meter);
    if (typeof name !== "string") return name;
    if (typeof value !== "string") return value;
    entries.push(`${name}: ${value}`);
  }
  return joined(entries.toSorted(compareStrings), "{", "}");
}

function joined(parts: readonly (string | CelFault)[], open: string, close: string): string | CelFault {
  const texts = parts.filter((part) => typeof part === "string");
  return parts.find((part) => part instanceof CelFault) ?? `${open}${texts.join(", ")}${close}`;
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
