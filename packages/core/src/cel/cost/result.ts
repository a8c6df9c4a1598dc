import type { CelType } from "../value/index.ts";
import { SCALAR, sized } from "./size.ts";
import type { Shape } from "./size.ts";

/** Functions whose result is a part of, or as large as, their first argument. */
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

/** Functions that read a text as something else, or take that apart again: neither it nor its parts outgrow the text. */
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

/** The longest text of a number or a time. */
const NUMBER_LENGTH = 40;

/** What is known of a call's result: by the function where there is something to know, else nothing but its type. */
export function resultShape(name: string, args: readonly Shape[], type: CelType): Shape {
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
      return sized((first.size + 1) * (third.size + 1));
    case "split":
      return sized(first.size + 1, sized(first.size));
    case "findAll":
      return sized(first.size + 1, sized(first.size));
    case "join":
      return sized(first.size * (first.part("[*]").size + second.size));
    case "string":
    case "bytes":
      return sized(Math.max(first.size * 4, NUMBER_LENGTH));
    case "quote":
    case "encode":
    case "decode":
      return sized(first.size * 2 + 4);
    default:
      return unknown(type);
  }
}

/** A value whose parts are as large as it may be itself, at all depths. */
function evenly(size: number): Shape {
  const shape: Shape = { size, part: () => shape };
  return shape;
}

function larger(a: Shape, b: Shape): Shape {
  return a.size >= b.size ? a : b;
}

function unknown(type: CelType): Shape {
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
      return sized(Infinity, sized(Infinity));
  }
}
