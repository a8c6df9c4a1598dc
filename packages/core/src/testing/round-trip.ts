import { deepEqual, isJsonObject, stringifyJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { convertObject } from "../kind/index.ts";
import type { AnyCustomKind, Conversion } from "../kind/index.ts";
import { applyDefaults, pruneUnknownFields, validate } from "../schema/index.ts";
import { sampleObject } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

/** Options of {@link checkRoundTrip}. */
export interface RoundTripOptions {
  /** Seed of the random objects. */
  readonly seed: number;
  /** The number of objects to test. Default: 200. */
  readonly runs?: number;
}

const RUNS = 200;
/** The maximum number of smaller objects tested after a failure. */
const SHRINKS_MAX = 2_000;

/**
 * Tests a conversion on random objects of its lower version, with defaults applied: `up` must return an object that is
 * valid in the upper version, and `down` must restore the original. Throws an Error with the seed and the smallest
 * failing object.
 */
export function checkRoundTrip(conversion: Conversion, options: RoundTripOptions): void {
  const { from, to } = conversion;
  const random = seededRandom(options.seed);
  for (let run = 0; run < (options.runs ?? RUNS); run += 1) {
    const object = wholeObject(from, sampleObject(from, random));
    if (problemWith(conversion, object) === undefined) continue;
    const smallest = shrink(conversion, object);
    const { spec, status } = smallest;
    throw new Error(
      `${from.kind}: ${from.version} → ${to.version}: ${problemWith(conversion, smallest) ?? "fails"} ` +
        `(seed ${options.seed}, run ${run}): ${stringifyJson(status === undefined ? { spec } : { spec, status })}`,
    );
  }
}

/** Returns the object as a server stores it. */
function wholeObject(kind: AnyCustomKind, object: JsonObject): JsonObject {
  return applyDefaults(kind.schema, object) as JsonObject; // defaults of a JSON object are JSON too
}

/** Returns the problem with the round trip, or undefined. */
function problemWith(conversion: Conversion, object: JsonObject): string | undefined {
  const { from, to } = conversion;
  let converted: JsonObject;
  let back: JsonObject;
  try {
    converted = convertObject([conversion], object, to.version);
  } catch (error) {
    return `up throws: ${String(error)}`;
  }
  const [error] = validate(to.schema, converted);
  if (error !== undefined) return `up returns an object that ${to.version} rejects: ${error.field}: ${error.message}`;
  const [lost] = pruneUnknownFields(rootSchema(to), converted).dropped;
  if (lost !== undefined) return `up returns a field unknown to ${to.version}: ${lost}`;
  try {
    back = convertObject([conversion], converted, from.version);
  } catch (error) {
    return `down throws: ${String(error)}`;
  }
  if (deepEqual(back, object)) return undefined;
  return `down(up(x)) is ${stringifyJson(partsOf(back))} instead of x`;
}

function rootSchema({ schema }: AnyCustomKind): AnyCustomKind["schema"] {
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  return { ...schema, properties: { ...schema.properties, apiVersion: {}, kind: {}, metadata: open } };
}

function partsOf({ spec, status }: JsonObject): JsonObject {
  return { ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
}

/** Removes parts of the object while it stays valid and the conversion still fails. */
function shrink(conversion: Conversion, failing: JsonObject): JsonObject {
  let smallest = failing;
  let tries = 0;
  for (let found = true; found && tries < SHRINKS_MAX;) {
    found = false;
    for (const candidate of smallerObjects(smallest)) {
      tries += 1;
      const isValid = validate(conversion.from.schema, candidate).length === 0;
      const isWhole = isValid && deepEqual(wholeObject(conversion.from, candidate), candidate);
      if (!isWhole || problemWith(conversion, candidate) === undefined) continue;
      smallest = candidate;
      found = true;
      break;
    }
  }
  return smallest;
}

function smallerObjects(object: JsonObject): readonly JsonObject[] {
  const { spec, status, ...rest } = object;
  const specs = spec === undefined ? [] : smaller(spec).map((less) => ({ ...object, spec: less }));
  if (status === undefined) return specs;
  const without = spec === undefined ? rest : { ...rest, spec };
  return [without, ...specs, ...smaller(status).map((less) => ({ ...object, status: less }))];
}

/** Returns simpler values: without a field or an item, with a shorter string or a number closer to 0. */
function smaller(value: JsonValue): readonly JsonValue[] {
  if (typeof value === "string") return value === "" ? [] : ["", value.slice(0, value.length >> 1), value.slice(0, -1)];
  if (typeof value === "number") return value === 0 ? [] : [0, Math.trunc(value / 2), value - Math.sign(value)];
  if (typeof value === "bigint") return [0, Number(value / 2n ** 32n)];
  if (isList(value)) {
    return value.flatMap((item, index) => [
      value.toSpliced(index, 1),
      ...smaller(item).map((less) => value.with(index, less)),
    ]);
  }
  if (!isJsonObject(value)) return [];
  const entries = Object.entries(value);
  return entries.flatMap(([name, child], index) => [
    Object.fromEntries(entries.toSpliced(index, 1)),
    ...smaller(child).map((less) => Object.fromEntries(entries.with(index, [name, less]))),
  ]);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
