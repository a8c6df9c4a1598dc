import { ConfigMap, Secret } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectOf } from "@levelset/core";
import {
  describeRef,
  ok,
  reference,
  refOf,
  refTo,
  referenceByLabels,
  step,
  terminal,
  wait,
} from "../../engine/index.ts";
import type { LabelQuery, Reference, ResultOptions, Req, Result, OutputStep, Step } from "../../engine/index.ts";
import { readInputTexts } from "./input-text.ts";
import { selected } from "../selected.ts";
import type { TextObject, TextsOut, TextValues } from "./input-text.ts";

/** Options of every input. */
export interface InputOptions<Uses extends readonly OutputStep<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /**
   * True if a person must create the input, so that its absence is a Warning. Default: false, it is expected to appear.
   */
  readonly mustExist?: boolean;
}

/** Options of an input from the values of a Secret or a ConfigMap. */
export type TextInputOptions<
  K extends AnyCustomKind,
  Keys extends TextValues,
  Uses extends readonly OutputStep<unknown>[],
> = InputOptions<Uses> & {
  /** Required values and their parsers: `{ port: s.intFromString() }`. Other keys are not read. */
  readonly keys: Keys;
  /** Returns the keys of values that differ from their names in `keys`. */
  readonly keyNames?: (object: ObjectOf<K>) => { readonly [Name in keyof Keys]?: string | undefined };
} & (
    | { readonly secret: NameOf<K>; readonly configMap?: never }
    | { readonly configMap: NameOf<K>; readonly secret?: never }
  );

/** Options of an input from an object of any kind. */
export type ObjectInputOptions<
  K extends AnyCustomKind,
  Other extends Kind,
  Value,
  Uses extends readonly OutputStep<unknown>[],
> = InputOptions<Uses> & {
  /** Kind of the input. */
  readonly kind: Other;
  /**
   * Returns the used value. Return no more than needed, because later steps may hash it. Undefined: not available yet.
   */
  readonly pick: (other: ObjectOf<Other>, req: Req<K, Uses[number]>) => Value | undefined;
} & (
    | { readonly name: NameOf<K>; readonly labels?: never }
    /** Labels that select at most one object, derived from the spec. */
    | { readonly labels: (object: ObjectOf<K>) => LabelQuery | undefined; readonly name?: never }
  );

/** Returns the name of an input from the object. */
type NameOf<K extends AnyCustomKind> = (object: ObjectOf<K>) => string | undefined;

/**
 * Reads an input that the object names, in its namespace or cluster-scoped, and returns only the used values. The input
 * is watched: its changes enqueue the object, without polling.
 *
 * Waits for an input that does not exist. Reports an invalid input, by key and object and never by value, until it
 * changes. An object that names no input is in error until its spec changes.
 *
 * Here the input is an object of any kind, found by name or by labels. Several matching objects are an error that names
 * them.
 */
export function input<
  K extends AnyCustomKind,
  Other extends Kind,
  Value,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: ObjectInputOptions<K, Other, Value, Uses>): Step<K, Value>;
/**
 * The same for values of a Secret or a ConfigMap. This overload is last because compilers report errors for the last
 * overload.
 */
export function input<
  K extends AnyCustomKind,
  const Keys extends TextValues,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: TextInputOptions<K, Keys, Uses>): Step<K, TextsOut<Keys>>;
export function input<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  kind: K,
  name: string,
  options: TextInputOptions<K, TextValues, Uses> | ObjectInputOptions<K, Kind, unknown, Uses>,
): Step<K> {
  const { condition, uses, mustExist = false } = options;
  const source = "kind" in options ? objectReference(kind, options) : textReference(kind, options);
  return step<K, unknown, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    reads: [source],
    do: (req) => {
      const found = find(req, name, source, mustExist);
      if (found.kind !== "ok") return found;
      return "kind" in options ? picked(options, req, found.value) : texts(options, req, found.value);
    },
  });
}

function textReference<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  kind: K,
  options: TextInputOptions<K, TextValues, Uses>,
): Reference<K> {
  const { secret, configMap } = options;
  return secret === undefined ? reference(kind, ConfigMap, configMap) : reference(kind, Secret, secret);
}

function objectReference<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  kind: K,
  options: ObjectInputOptions<K, Kind, unknown, Uses>,
): Reference<K> {
  const { kind: other, name, labels } = options;
  return labels === undefined ? reference(kind, other, name) : referenceByLabels(kind, other, labels);
}

/** Returns the one object that a reference selects. */
function find<K extends AnyCustomKind>(
  req: Req<K, never>,
  step: string,
  source: Reference<K>,
  mustExist: boolean,
): Result<KubeObject> {
  const { kind } = source;
  const what = kind.kind.toLowerCase();
  const remark: ResultOptions = mustExist ? { severity: "Warning" } : {};
  if (source.by === "name") {
    const [key] = source.keys(req.object);
    if (key === undefined) return terminal(`the spec names no ${what}`);
    if (kind.scope === "Namespaced" && key.namespace === undefined) {
      return terminal(`the spec names a ${what} without a namespace, and the object is cluster-scoped`);
    }
    const object = req.get(kind, key);
    const ref = refTo(kind, key);
    return object === undefined ? wait(`Missing input: ${describeRef(ref)}`, { ...remark, on: [ref] }) : ok(object);
  }
  const labels = source.labels(req.object);
  if (labels === undefined) return terminal(`the spec names no ${what}`);
  const matching = selected(req, step, kind, labels);
  if (matching.kind !== "ok") return matching;
  const { objects, text } = matching.value;
  const [object, ...others] = objects;
  if (object === undefined) return wait(`Missing input: ${what} with ${text}`, remark);
  if (others.length === 0) return ok(object);
  const names = objects.map((one) => one.metadata.name).toSorted();
  return wait(`Several inputs with ${text}: ${names.map((name) => `${what}/${name}`).join(", ")}`, {
    severity: "Error",
    reason: "Error",
    on: objects.map(refOf),
  });
}

function texts<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  options: TextInputOptions<K, TextValues, Uses>,
  req: Req<K, Uses[number]>,
  object: TextObject,
): Result<unknown> {
  const names = options.keyNames?.(req.object) ?? {};
  const reading = readInputTexts(object, describeRef(refOf(object)), options.keys, names);
  if (reading.kind === "read") return ok(reading.value);
  return wait(reading.problems.join("; "), { severity: "Warning", reason: "Error", on: [refOf(object)] });
}

function picked<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  options: ObjectInputOptions<K, Kind, unknown, Uses>,
  req: Req<K, Uses[number]>,
  object: KubeObject,
): Result<unknown> {
  const value = options.pick(object, req);
  const ref = refOf(object);
  return value === undefined ? wait(`Incomplete input: ${describeRef(ref)}`, { on: [ref] }) : ok(value);
}
