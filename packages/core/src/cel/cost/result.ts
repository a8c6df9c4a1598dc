import type { CelType } from "../value/index.ts";
import { SCALAR, sizedShape } from "./size.ts";
import type { SizedShape } from "./size.ts";

/** Functions whose result is a part of their first argument, or of the same size. */
const SHRINKING: ReadonlySet<string> = new Set([
  "charAt",
  "substring",
  "trim",
  "lowerAscii",
  "upperAscii",
  "reverse",
  "slice",
  "sort",
  "distinct",
  "find",
  "dyn",
  "orValue",
  "or",
  "value",
  "of",
  "ofNonZeroValue",
]);

/** Functions that parse a string, or access a parsed value: the result is not larger than the string. */
const DERIVED: ReadonlySet<string> = new Set([
  "quantity",
  "add",
  "sub",
  "ip",
  "cidr",
  "masked",
  "url",
  "getScheme",
  "getHost",
  "getHostname",
  "getPort",
  "getEscapedPath",
  "getQuery",
]);

/** The maximum length of a formatted number or time. */
const NUMBER_LENGTH = 40;

/** Returns the size of a call's result: by function if it is known, else by type. */
export function resultShape(name: string, args: readonly SizedShape[], type: CelType): SizedShape {
  const [first = SCALAR, second = SCALAR, third = SCALAR] = args;
  if (SHRINKING.has(name)) {
    const size = Math.max(...args.map((arg) => arg.size), 0);
    return { size, part: (part) => first.part(part) };
  }
  if (DERIVED.has(name)) return evenly(Math.max(...args.map((arg) => arg.size), 0));
  switch (name) {
    case "_+_":
      return { size: first.size + second.size, part: (part) => larger(first.part(part), second.part(part)) };
    case "replace":
      return sizedShape((first.size + 1) * (third.size + 1));
    case "split":
      return sizedShape(first.size + 1, sizedShape(first.size));
    case "findAll":
      return sizedShape(first.size + 1, sizedShape(first.size));
    case "join":
      return sizedShape(first.size * (first.part("[*]").size + second.size));
    case "string":
    case "bytes":
      return sizedShape(Math.max(first.size * 4, NUMBER_LENGTH));
    case "quote":
    case "encode":
    case "decode":
      return sizedShape(first.size * 2 + 4);
    default:
      return unknown(type);
  }
}

/** A value whose parts have the same size limit, at all depths. */
function evenly(size: number): SizedShape {
  const shape: SizedShape = { size, part: () => shape };
  return shape;
}

function larger(a: SizedShape, b: SizedShape): SizedShape {
  return a.size >= b.size ? a : b;
}

function unknown(type: CelType): SizedShape {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "timestamp":
    case "duration":
    case "null":
    case "type":
      return SCALAR;
    default:
      return sizedShape(Infinity, sizedShape(Infinity));
  }
}
