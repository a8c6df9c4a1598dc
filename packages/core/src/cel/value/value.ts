import type { JsonObject } from "../../json/index.ts";
import type { CelError } from "./cel-error.ts";
import type { CelObject } from "./object.ts";

/**
 * An exact int64: a number if it is a safe integer, otherwise a bigint. Never a bigint in the safe range, so that equal
 * integers are `===`, and integers in JSON need no conversion.
 */
export type CelInt = number | bigint;

/** A list. Elements may be unconverted JSON: read them with `nativeToValue`. */
export type CelList = readonly CelValue[];

/**
 * A CEL value. Integers are plain numbers, so doubles are boxed (`CelDouble`), as are uints, times, types, optionals
 * and maps with keys that are not strings. JSON data is used without conversion: arrays are lists, objects are maps.
 */
export type CelValue = null | boolean | string | CelInt | Uint8Array | CelList | CelObject | JsonObject;

/** The result of an evaluation: a value or an error. */
export type CelOutcome = CelValue | CelError;
