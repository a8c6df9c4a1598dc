import type { JsonObject } from "../../json/index.ts";
import type { CelFault } from "./fault.ts";
import type { CelObject } from "./object.ts";

/**
 * int64, exactly: a number where it is a safe integer, else a bigint. Never a bigint in the safe range, so that equal
 * integers are `===`, and JSON's integers are CEL's without conversion.
 */
export type CelInt = number | bigint;

/** A list. Elements may be JSON as it came: read them through `adapt`. */
export type CelList = readonly CelValue[];

/**
 * A value of CEL. Integers are plain numbers, so doubles are boxed (`CelDouble`), as are uints, times, types, optionals and
 * maps with other keys than JSON has. JSON data is used as it is: arrays are lists, objects are maps.
 */
export type CelValue = null | boolean | string | CelInt | Uint8Array | CelList | CelObject | JsonObject;

/** What evaluating an expression gives: a value, or the error that stands for it. */
export type CelOutcome = CelValue | CelFault;
