import {
  applyWithLastApplied,
  decodeManagedFields,
  encodeManagedFields,
  FieldSet,
  ManagedFieldsError,
  objectType,
  toFieldSet,
  TypeMismatchError,
} from "@levelset/core/apply";
import type { FieldManagerEntry, FieldPath, ManagedFields, PathElement, TypeConverter } from "@levelset/core/apply";
import { apiVersionOf, isJsonObject } from "@levelset/core";
import { fieldManagerId } from "@levelset/core/internal";
import type { StatusCause } from "@levelset/core/internal";
import type { JsonObject, JsonValue, Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";

/** An apply that the server refused as Invalid. */
export interface RefusedApply {
  readonly kind: Kind;
  /** The object that was applied to, with its managedFields. */
  readonly live: KubeObject;
  readonly body: JsonObject;
  /** Field manager of the apply. */
  readonly manager: string;
  readonly causes: readonly StatusCause[];
}

/** Items of other writers that the apply takes over, so that its next attempt removes them. */
export interface ItemTakeover {
  readonly items: readonly FieldPath[];
  /** The managedFields of the object after the takeover: the items belong to our apply. */
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** The object as an apply after the takeover stores it, before defaulting. Without managedFields. */
  readonly expected: JsonObject;
}

/** Maximum number of lists that are tried one by one. */
const LISTS_MAX = 8;
/** Fields with items of other controllers: owner references, finalizers, conditions. */
const NEVER_TAKEN: readonly PathElement[] = ["f:apiVersion", "f:kind", "f:metadata", "f:status"];

/**
 * Returns the takeovers that may make a refused apply valid, smallest first: for each keyed list that a cause names, inner
 * lists before outer ones, then for all of them. A list is considered only if the body declares it, so that its desired items are known. An item is
 * foreign if the body does not declare it, and taken only if no other manager applied it: another server-side apply
 * declares its items on purpose, and so do other Operands. Returns none if our manager has not applied the object.
 */
export function itemTakeovers(refused: RefusedApply): readonly ItemTakeover[] {
  const { kind, live, body, manager, causes } = refused;
  const owners = ownersOf(live);
  const ours = owners.get(fieldManagerId(applierOf(kind, manager)));
  if (ours?.apiVersion !== apiVersionOf(kind)) return [];
  const lists = foreignItems(kind, live, body).flatMap(({ list, items }) => {
    const taken = items.filter((item) => isTakeable(item, ours, owners));
    return taken.length === 0 || !isNamed(list, causes) ? [] : [taken];
  });
  const tries = lists.length <= 1 ? lists : [...lists.slice(0, LISTS_MAX), lists.flat()];
  return tries.flatMap((items) => {
    const after = withItems(owners, ours, items);
    const expected = expectedObject(refused, after);
    return expected === undefined ? [] : [{ items, managedFields: encodeManagedFields(after), expected }];
  });
}

/** Items of one keyed list that the body does not declare. */
interface ForeignItems {
  readonly list: FieldPath;
  readonly items: readonly FieldPath[];
}

function foreignItems(kind: Kind, live: KubeObject, body: JsonObject): readonly ForeignItems[] {
  const type = objectType(kind.schema);
  // Objects are JSON; their interfaces only lack the index signature.
  const present = toFieldSet(type, live as unknown as JsonObject);
  const declared = toFieldSet(type, body);
  return declared.elements
    .filter((element) => !NEVER_TAKEN.includes(element))
    .flatMap((element) => foreignBelow(present.withPrefix(element), declared.withPrefix(element), [element]));
}

function foreignBelow(present: FieldSet, declared: FieldSet, path: FieldPath): readonly ForeignItems[] {
  const items = declared.elements.some(isItem)
    ? present.elements.filter((element) => isItem(element) && !declared.elements.includes(element))
    : [];
  const below = declared.elements.flatMap((element) =>
    foreignBelow(present.withPrefix(element), declared.withPrefix(element), [...path, element]),
  );
  return items.length === 0 ? below : [...below, { list: path, items: items.map((item) => [...path, item]) }];
}

/** Reports whether a path element is an item of a keyed list. */
function isItem(element: PathElement): boolean {
  return element.startsWith("k:");
}

/** Reports whether other writers keep an item, and all of them by writes other than apply in the version of ours. */
function isTakeable(item: FieldPath, ours: FieldManagerEntry, owners: ManagedFields): boolean {
  const holders = [...owners.values()].filter(({ fields }) => reaches(fields, item));
  const others = holders.filter((holder) => holder !== ours);
  const isOnlyOurs = holders.length > 0 && others.length === 0;
  return !isOnlyOurs && others.every((other) => isPlainWrite(other) && other.apiVersion === ours.apiVersion);
}

function isPlainWrite({ operation, subresource }: FieldManagerEntry): boolean {
  return operation === "Update" && subresource === "";
}

/** Reports whether a set contains the path or a path below it. */
function reaches(fields: FieldSet, path: FieldPath): boolean {
  return fields.has(path) || !path.reduce((below, element) => below.withPrefix(element), fields).isEmpty;
}

/** Reports whether a cause is about the list or a part of it. Indexes are those of the refused object, which is unknown. */
function isNamed(list: FieldPath, causes: readonly StatusCause[]): boolean {
  const name = list.map((element) => (isItem(element) ? "[]" : `.${element.slice(2)}`)).join("");
  return causes.some(({ field = "" }) => {
    const found = `.${field.replaceAll(/\[\d+\]/gu, "[]")}`;
    return found === name || found.startsWith(`${name}[`);
  });
}

/** Returns the managers with the items moved from the other ones to ours. */
function withItems(owners: ManagedFields, ours: FieldManagerEntry, items: readonly FieldPath[]): ManagedFields {
  const moved = FieldSet.of(...items);
  const after = new Map<string, FieldManagerEntry>();
  let taken = ours.fields.union(moved);
  for (const [id, owner] of owners) {
    if (owner === ours) continue;
    const left = owner.fields.recursiveDifference(moved);
    taken = taken.union(owner.fields.difference(left));
    if (!left.isEmpty) after.set(id, { ...owner, fields: left });
  }
  return after.set(fieldManagerId(ours), { ...ours, fields: taken });
}

/** Returns the result of the apply; undefined if the object or the body does not match the schema. */
function expectedObject({ kind, live, body, manager }: RefusedApply, owners: ManagedFields): JsonObject | undefined {
  const { managedFields: _fields, ...metadata } = live.metadata;
  try {
    const applied = applyWithLastApplied({
      converter: converterOf(kind),
      live: { ...live, metadata } as unknown as JsonObject,
      configuration: body,
      managedFields: owners,
      manager: applierOf(kind, manager),
      time: "",
      force: true,
    });
    return applied.kind === "applied" && isJsonObject(applied.value) ? applied.value : undefined;
  } catch (error) {
    if (error instanceof TypeMismatchError) return undefined;
    throw error;
  }
}

function applierOf(kind: Kind, manager: string): Omit<FieldManagerEntry, "fields" | "time"> {
  return { manager, operation: "Apply", apiVersion: apiVersionOf(kind), subresource: "" };
}

/** Knows one version: entries of other versions are not moved. */
function converterOf(kind: Kind): TypeConverter {
  const apiVersion = apiVersionOf(kind);
  const type = objectType(kind.schema);
  return {
    apiVersion,
    type,
    zeroValue: { apiVersion, kind: kind.kind },
    typeForVersion: (version) => (version === apiVersion ? type : undefined),
    convert: (value: JsonValue) => value,
    filterFields: (fields) => fields,
  };
}

/** Returns no managers if the managedFields entries cannot be decoded. */
function ownersOf({ metadata }: KubeObject): ManagedFields {
  try {
    return decodeManagedFields(metadata.managedFields);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return new Map();
    throw error;
  }
}
