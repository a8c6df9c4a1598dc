import { DeclarationError } from "../error/index.ts";
import { isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import type { AnyCustomKind, SpecOf, StatusOf } from "./custom-kind.ts";
import { engineStatus } from "./engine-status.ts";
import { apiVersionOf } from "./kind.ts";

/**
 * The fields of an object that differ between versions of its kind. The status does not include the engine's fields.
 */
export interface VersionedFields<Spec = unknown, Status = unknown> {
  readonly spec: Spec;
  readonly status?: Status;
}

/** The versioned fields of an object of a custom kind. */
export type VersionedFieldsOf<K extends AnyCustomKind> = VersionedFields<SpecOf<K>, StatusOf<K>>;

/** Functions that convert objects between two versions of a kind. */
export interface ConversionFunctions<From extends AnyCustomKind, To extends AnyCustomKind> {
  readonly up: (object: VersionedFieldsOf<From>) => VersionedFieldsOf<To>;
  readonly down: (object: VersionedFieldsOf<To>) => VersionedFieldsOf<From>;
}

/** A conversion between two versions of a kind, made by `conversion()`. */
export interface Conversion {
  readonly from: AnyCustomKind;
  readonly to: AnyCustomKind;
  /** Converts the fields of an object of `from`. */
  readonly up: (object: VersionedFields) => VersionedFields;
  /** Converts the fields of an object of `to`. */
  readonly down: (object: VersionedFields) => VersionedFields;
}

/**
 * Declares the conversion between two versions of a kind. The functions must be pure and lossless. Throws a
 * DeclarationError if `from` and `to` are not two versions of one kind.
 */
export function conversion<From extends AnyCustomKind, To extends AnyCustomKind>(
  from: From,
  to: To,
  functions: ConversionFunctions<From, To>,
): Conversion {
  checkVersions(from, to);
  const { up, down } = functions;
  return {
    from,
    to,
    // The caller has checked the version of the object, so the fields are those of the kind.
    up: (object) => up(object as VersionedFieldsOf<From>),
    down: (object) => down(object as VersionedFieldsOf<To>),
  };
}

function checkVersions(from: AnyCustomKind, to: AnyCustomKind): void {
  for (const field of ["group", "kind", "plural", "scope"] as const) {
    if (from[field] !== to[field]) {
      throw new DeclarationError(
        `conversion of ${from.kind}: the ${field} is ${from[field]} in ${from.version} and ${to[field]} in ${to.version}: ` +
          "use two versions of one kind",
      );
    }
  }
  if (from.version === to.version) {
    throw new DeclarationError(`conversion of ${from.kind}: both versions are ${from.version}: use two versions`);
  }
}

/**
 * Converts an object to another version of its kind, with the fewest conversions. Metadata and the engine's status
 * fields (conditions, observedGeneration) are preserved. Throws a DeclarationError if there is no conversion path.
 */
export function convertObject(conversions: readonly Conversion[], object: JsonObject, toVersion: string): JsonObject {
  const { apiVersion, kind: name } = object;
  const ofKind = conversions.filter(({ from }) => isOf(from, apiVersion, name));
  const [known] = ofKind;
  if (known === undefined) {
    const what = `${shown(name)} ${shown(apiVersion)}`;
    throw new DeclarationError(`no conversion for ${what}: declare one with conversion()`);
  }
  const kinds = new Map(ofKind.flatMap(({ from, to }) => [from, to]).map((kind) => [kind.version, kind]));
  const start = [...kinds.values()].find((kind) => apiVersionOf(kind) === apiVersion);
  const target = kinds.get(toVersion);
  const versions = [...kinds.keys()].join(", ");
  if (start === undefined) throw unknownVersion(known.from, shown(apiVersion), versions);
  if (target === undefined) throw unknownVersion(known.from, toVersion, versions);
  const steps = shortestWay(ofKind, start.version, toVersion);
  if (steps === undefined) {
    throw new DeclarationError(
      `${known.from.kind}: no conversion path from ${start.version} to ${toVersion}: declare a conversion between them`,
    );
  }
  return steps.reduce<JsonObject>((converted, step) => applyStep(step, converted), object);
}

function unknownVersion(kind: AnyCustomKind, version: string, versions: string): DeclarationError {
  return new DeclarationError(`${kind.kind}: no conversion for version ${version}: known versions are ${versions}`);
}

function isOf(kind: AnyCustomKind, apiVersion: JsonValue | undefined, name: JsonValue | undefined): boolean {
  return kind.kind === name && typeof apiVersion === "string" && apiVersion.startsWith(`${kind.group}/`);
}

function shown(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "(missing)";
}

/** A conversion in one direction. */
interface Step {
  readonly to: AnyCustomKind;
  readonly convert: (object: VersionedFields) => VersionedFields;
}

/** Breadth-first search: returns a shortest path; on a tie, the one declared first. */
function shortestWay(conversions: readonly Conversion[], start: string, target: string): readonly Step[] | undefined {
  const ways = new Map<string, readonly Step[]>([[start, []]]);
  for (const [version, way] of ways) {
    if (version === target) return way;
    for (const { from, to, up, down } of conversions) {
      const step = from.version === version ? { to, convert: up } : { to: from, convert: down };
      const leavesHere = from.version === version || to.version === version;
      if (leavesHere && !ways.has(step.to.version)) ways.set(step.to.version, [...way, step]);
    }
  }
  return undefined;
}

function applyStep({ to, convert }: Step, object: JsonObject): JsonObject {
  const { spec = {}, status, ...rest } = object;
  const { kept, own } = splitStatus(status);
  const converted = convert(own === undefined ? { spec } : { spec, status: own });
  const parts = partsOf(to, converted);
  // An existing status, even an empty one, is preserved if the function returns none.
  const hasStatus = parts.status !== undefined || own !== undefined;
  return {
    ...rest,
    apiVersion: apiVersionOf(to),
    spec: parts.spec,
    ...(hasStatus ? { status: { ...parts.status, ...kept } } : {}),
  };
}

/** Splits a status into the engine's fields and the rest. */
function splitStatus(status: JsonValue | undefined): {
  readonly kept: JsonObject;
  readonly own: JsonObject | undefined;
} {
  if (!isJsonObject(status)) return { kept: {}, own: undefined };
  const isKept = (name: string): boolean => Object.hasOwn(engineStatus, name);
  const entries = Object.entries(status);
  return {
    kept: Object.fromEntries(entries.filter(([name]) => isKept(name))),
    own: Object.fromEntries(entries.filter(([name]) => !isKept(name))),
  };
}

function partsOf(to: AnyCustomKind, converted: unknown): { readonly spec: JsonObject; readonly status?: JsonObject } {
  const spec: unknown = isJsonObject(converted) ? converted["spec"] : undefined;
  const status: unknown = isJsonObject(converted) ? converted["status"] : undefined;
  if (!isJsonObject(spec) || (status !== undefined && !isJsonObject(status))) {
    throw new DeclarationError(
      `${to.kind}: the conversion to ${to.version} returned no object with a spec: return { spec: { … }, status: { … } }`,
    );
  }
  // Typed by the declaration of the kind, whose values are JSON.
  return { spec: spec as JsonObject, ...(status === undefined ? {} : { status: status as JsonObject }) };
}
