import { ConfigMap, Secret } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { describeRef, ok, reference, refOf, refTo, selection, step, terminal, wait } from "../step/index.ts";
import type { LabelQuery, Reference, Remark, Req, Result, Source, Step } from "../step/index.ts";
import { readTexts } from "./input-text.ts";
import { selected } from "./selected.ts";
import type { TextObject, TextsOut, TextValues } from "./input-text.ts";

/** What every input may say. */
export interface InputCommon<Uses extends readonly Source<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** Whether somebody must create the input, so that its absence is a warning. Default: false, it is on its way and waited for. */
  readonly mustExist?: boolean;
}

/** An input that is read from the texts of a Secret or a ConfigMap. */
export type TextInputOptions<
  K extends AnyCustomKind,
  Keys extends TextValues,
  Uses extends readonly Source<unknown>[],
> = InputCommon<Uses> & {
  /** What must be there, and what it must read as: `{ port: s.intFromString() }`. Nothing else is read. */
  readonly keys: Keys;
  /** Under which keys values stand that are not called as in `keys`, where the object says it. */
  readonly keyNames?: (object: ObjectOf<K>) => { readonly [Name in keyof Keys]?: string | undefined };
} & (
    | { readonly secret: NameOf<K>; readonly configMap?: never }
    | { readonly configMap: NameOf<K>; readonly secret?: never }
  );

/** An input that is an object of any kind. */
export type ObjectInputOptions<
  K extends AnyCustomKind,
  Other extends Kind,
  Value,
  Uses extends readonly Source<unknown>[],
> = InputCommon<Uses> & {
  /** What the input is. */
  readonly of: Other;
  /** What is used of it. Hand over no more than that: later steps may take a hash of it. Undefined: it is not there yet. */
  readonly pick: (other: ObjectOf<Other>, req: Req<K, Uses[number]>) => Value | undefined;
} & (
    | { readonly name: NameOf<K>; readonly labels?: never }
    /** Labels that select one object at most, derived from a name that the spec has. */
    | { readonly labels: (object: ObjectOf<K>) => LabelQuery | undefined; readonly name?: never }
  );

/** The name of an input, as the object gives it. */
type NameOf<K extends AnyCustomKind> = (object: ObjectOf<K>) => string | undefined;

/**
 * Reads an input that the object names, in its namespace or cluster-scoped, and hands over only what is used of it. The input is watched:
 * whoever creates or changes it wakes the object, and nothing polls.
 *
 * An input that is not there is waited for. One that does not say what it should is reported, by key and object and never by value,
 * until somebody changes it. An object that names no input at all is in error until its spec changes.
 *
 * Here the input is an object of any kind, found by its name or by labels. Several with these labels are an error that names them.
 */
export function input<
  K extends AnyCustomKind,
  Other extends Kind,
  Value,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: ObjectInputOptions<K, Other, Value, Uses>): Step<K, Value>;
/** The same for texts of a Secret or a ConfigMap. It stands last, because compilers explain mistakes by the last form. */
export function input<
  K extends AnyCustomKind,
  const Keys extends TextValues,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: TextInputOptions<K, Keys, Uses>): Step<K, TextsOut<Keys>>;
export function input<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  kind: K,
  name: string,
  options: TextInputOptions<K, TextValues, Uses> | ObjectInputOptions<K, Kind, unknown, Uses>,
): Step<K> {
  const { condition, uses, mustExist = false } = options;
  const source = "of" in options ? objectReference(kind, options) : textReference(kind, options);
  return step<K, unknown, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    reads: [source],
    do: (req) => {
      const found = find(req, name, source, mustExist);
      if (found.kind !== "ok") return found;
      return "of" in options ? picked(options, req, found.value) : texts(options, req, found.value);
    },
  });
}

function textReference<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  kind: K,
  options: TextInputOptions<K, TextValues, Uses>,
): Reference<K> {
  const { secret, configMap } = options;
  return secret === undefined ? reference(kind, ConfigMap, configMap) : reference(kind, Secret, secret);
}

function objectReference<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  kind: K,
  options: ObjectInputOptions<K, Kind, unknown, Uses>,
): Reference<K> {
  const { of, name, labels } = options;
  return labels === undefined ? reference(kind, of, name) : selection(kind, of, labels);
}

/** The one object that a reference leads to. */
function find<K extends AnyCustomKind>(
  req: Req<K, never>,
  step: string,
  source: Reference<K>,
  mustExist: boolean,
): Result<KubeObject> {
  const { kind } = source;
  const what = kind.kind.toLowerCase();
  const remark: Remark = mustExist ? { severity: "Warning" } : {};
  if (source.by === "name") {
    const [key] = source.keys(req.object);
    if (key === undefined) return terminal(`the spec names no ${what}`);
    if (kind.scope === "Namespaced" && key.namespace === undefined) {
      return terminal(`the spec names a ${what}, but not its namespace, and the object itself lives in none`);
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

function texts<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  options: TextInputOptions<K, TextValues, Uses>,
  req: Req<K, Uses[number]>,
  object: TextObject,
): Result<unknown> {
  const names = options.keyNames?.(req.object) ?? {};
  const reading = readTexts(object, describeRef(refOf(object)), options.keys, names);
  if (reading.kind === "read") return ok(reading.value);
  return wait(reading.problems.join("; "), { severity: "Warning", reason: "Error", on: [refOf(object)] });
}

function picked<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  options: ObjectInputOptions<K, Kind, unknown, Uses>,
  req: Req<K, Uses[number]>,
  object: KubeObject,
): Result<unknown> {
  const value = options.pick(object, req);
  const ref = refOf(object);
  return value === undefined ? wait(`Incomplete input: ${describeRef(ref)}`, { on: [ref] }) : ok(value);
}
