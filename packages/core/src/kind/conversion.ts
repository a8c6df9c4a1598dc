import { DeclarationError } from "../error/index.ts";
import { isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import type { AnyCustomKind, SpecOf, StatusOf } from "./custom.ts";
import { engineStatus } from "./engine-status.ts";
import { apiVersionOf } from "./kind.ts";

/** What of an object differs between versions of its kind. The status is without what the engine keeps there. */
export interface ConvertedParts<Spec = unknown, Status = unknown> {
  readonly spec: Spec;
  readonly status?: Status;
}

/** The parts of an object of a declared kind. */
export type PartsOf<K extends AnyCustomKind> = ConvertedParts<SpecOf<K>, StatusOf<K>>;

/** How objects get from one version of a kind to another, and back. */
export interface ConversionFunctions<From extends AnyCustomKind, To extends AnyCustomKind> {
  readonly up: (object: PartsOf<From>) => PartsOf<To>;
  readonly down: (object: PartsOf<To>) => PartsOf<From>;
}

/** A way between two versions of a kind, made by `conversion()`. */
export interface Conversion {
  readonly from: AnyCustomKind;
  readonly to: AnyCustomKind;
  /** Takes the parts of an object of `from`. */
  readonly up: (object: ConvertedParts) => ConvertedParts;
  /** Takes the parts of an object of `to`. */
  readonly down: (object: ConvertedParts) => ConvertedParts;
}

/** Declares how objects get from one version of a kind to another and back. The functions are pure and lose nothing. */
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
    // Whoever calls has looked at the version of the object, so its parts are those of the kind.
    up: (object) => up(object as PartsOf<From>),
    down: (object) => down(object as PartsOf<To>),
  };
}

function checkVersions(from: AnyCustomKind, to: AnyCustomKind): void {
  for (const field of ["group", "kind", "plural", "scope"] as const) {
    if (from[field] !== to[field]) {
      throw new DeclarationError(
        `conversion of ${from.kind}: the ${field} is ${from[field]} in ${from.version} and ${to[field]} in ${to.version}: ` +
          "give two versions of one kind",
      );
    }
  }
  if (from.version === to.version) {
    throw new DeclarationError(`conversion of ${from.kind}: both sides are ${from.version}: give two versions`);
  }
}

/**
 * The object in another version of its kind, by the fewest conversions. Metadata stays, and so does what the engine keeps in a status
 * (conditions, observedGeneration), whatever the functions do. Throws a DeclarationError when no conversions lead there.
 */
export function convertObject(conversions: readonly Conversion[], object: JsonObject, toVersion: string): JsonObject {
  const { apiVersion, kind: name } = object;
  const ofKind = conversions.filter(({ from }) => isOf(from, apiVersion, name));
  const [known] = ofKind;
  if (known === undefined) {
    const what = `${shown(name)} ${shown(apiVersion)}`;
    throw new DeclarationError(`there is no conversion of ${what}: declare one with conversion()`);
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
      `${known.from.kind}: no conversions lead from ${start.version} to ${toVersion}: declare one between them`,
    );
  }
  return steps.reduce<JsonObject>((converted, step) => applyStep(step, converted), object);
}

function unknownVersion(kind: AnyCustomKind, version: string, versions: string): DeclarationError {
  return new DeclarationError(`${kind.kind}: no conversion knows the version ${version}: known are ${versions}`);
}

function isOf(kind: AnyCustomKind, apiVersion: JsonValue | undefined, name: JsonValue | undefined): boolean {
  return kind.kind === name && typeof apiVersion === "string" && apiVersion.startsWith(`${kind.group}/`);
}

function shown(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "(no text)";
}

/** One conversion in one direction. */
interface Step {
  readonly to: AnyCustomKind;
  readonly convert: (object: ConvertedParts) => ConvertedParts;
}

/** Breadth first, so the first way found is a shortest one; of several, the one that was declared first. */
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
  // A status, if only an empty one, is not lost by a function that has nothing to say about it.
  const hasStatus = parts.status !== undefined || own !== undefined;
  return {
    ...rest,
    apiVersion: apiVersionOf(to),
    spec: parts.spec,
    ...(hasStatus ? { status: { ...parts.status, ...kept } } : {}),
  };
}

/** What the engine keeps in a status, and the rest of it. */
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
      `${to.kind}: the conversion to ${to.version} gave no object with a spec: return { spec: { … }, status: { … } }`,
    );
  }
  // Typed by the declaration of the kind, whose values are JSON.
  return { spec: spec as JsonObject, ...(status === undefined ? {} : { status: status as JsonObject }) };
}
