/**
 * Strategic merge patch: a merge patch that knows which lists of a kind are merged item by item, and takes orders in keys that begin with
 * `$`. Only built-in kinds have the facts for it, as `x-kubernetes-patch-…` in their schemas.
 */
import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { goText } from "../error/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { StrategicPatchError } from "./error.ts";
import { patchFacts } from "./facts.ts";
import type { PatchFacts } from "./facts.ts";
import { enforceOrder, idOf, typeOfItems } from "./order.ts";
import type { Items } from "./order.ts";

const PATCH = "$patch";
const RETAIN = "$retainKeys";
const ORDER = "$setElementOrder";
const DELETE = "$deleteFromPrimitiveList";

/** The object with a patch merged in, given the schema of its kind. Throws a `StrategicPatchError`. */
export function applyStrategicPatch(schema: StructuralSchema, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(schema, target, patch);
}

function mergeObject(schema: StructuralSchema | undefined, target: JsonObject, patch: JsonObject): JsonObject {
  if (Object.hasOwn(patch, PATCH)) return replaced(patch);
  const members = new Map(Object.entries(target));
  const changes = new Map(Object.entries(patch));
  retainKeys(members, changes);
  for (const [name, order] of Object.entries(patch))
    if (name.startsWith(ORDER)) setOrder(schema, members, changes, name, order);
  for (const [name, change] of changes) {
    if (name.startsWith(DELETE)) deleteScalars(members, name, change);
    else mergeMember(schema, members, name, change);
  }
  return Object.fromEntries(members);
}

function replaced(patch: JsonObject): JsonObject {
  const { [PATCH]: directive = null, ...rest } = patch;
  if (directive === "replace") return rest;
  if (directive === "delete") return {};
  throw new StrategicPatchError("other", `unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

function retainKeys(members: Map<string, JsonValue>, changes: Map<string, JsonValue>): void {
  if (!changes.has(RETAIN)) return;
  const retained = changes.get(RETAIN);
  changes.delete(RETAIN);
  const isKept = (name: string): boolean => Array.isArray(retained) && retained.includes(name);
  const isDirective = (name: string): boolean => name.startsWith(DELETE) || name.startsWith(ORDER);
  const surplus = [...changes].some(([name, value]) => value !== null && !isDirective(name) && !isKept(name));
  if (!Array.isArray(retained) || surplus) {
    throw new StrategicPatchError("malformed", "invalid patch format of retainKeys");
  }
  for (const name of members.keys()) if (!isKept(name)) members.delete(name);
}

function mergeMember(
  schema: StructuralSchema | undefined,
  members: Map<string, JsonValue>,
  name: string,
  change: JsonValue,
): void {
  if (change === null) {
    members.delete(name);
    return;
  }
  const merged = mergeValue(schema, members.get(name), name, change);
  if (merged === undefined) members.delete(name);
  else members.set(name, merged);
}

/** Undefined where the change is nothing but an order. */
function mergeValue(
  schema: StructuralSchema | undefined,
  present: JsonValue | undefined,
  name: string,
  change: JsonValue,
): JsonValue | undefined {
  if (isJsonObject(present) && isJsonObject(change)) {
    const facts = patchFacts(schema, name);
    return facts.strategy === "replace" ? change : mergeObject(facts.schema, present, change);
  }
  if (isList(present) && isList(change)) {
    const facts = patchFacts(schema, name);
    return facts.strategy === "merge" ? mergeList(facts, present, change) : change;
  }
  return withoutDirectives(change);
}

function isList(value: JsonValue | undefined): value is Items {
  return Array.isArray(value);
}

/** A new value without nulls and orders; undefined when it is an order itself. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  const kept: [string, JsonValue][] = [];
  for (const [name, child] of Object.entries(value)) {
    const clean = child === null ? undefined : withoutDirectives(child);
    if (clean !== undefined) kept.push([name, clean]);
  }
  return Object.fromEntries(kept);
}

function mergeList(facts: PatchFacts, present: Items, changes: Items): Items {
  if (present.length === 0 && changes.length === 0) return present;
  if (typeOfItems(present, changes) !== "object") {
    const all = [...present, ...changes];
    const unique = all.filter((item, index) => all.findIndex((other) => deepEqual(other, item)) === index);
    return enforceOrder(unique, changes, present, undefined);
  }
  const { mergeKey } = facts;
  if (mergeKey === undefined) {
    throw new StrategicPatchError("other", "cannot merge lists without merge key for struct");
  }
  // All items are objects, as their common type says.
  const special = specialItems(present, changes as readonly JsonObject[], mergeKey);
  if (special.kind === "replaced") return special.items;
  const merged = mergeItems(facts, special.present, special.changes, mergeKey);
  return enforceOrder(merged, special.changes, special.present, mergeKey);
}

type Special =
  | { readonly kind: "replaced"; readonly items: Items }
  | { readonly kind: "merged"; readonly present: Items; readonly changes: readonly JsonObject[] };

/** Carries out the items that are orders. */
function specialItems(present: Items, changes: readonly JsonObject[], mergeKey: string): Special {
  const orders = changes.filter((item) => Object.hasOwn(item, PATCH));
  const rest = changes.filter((item) => !Object.hasOwn(item, PATCH));
  let left = present;
  for (const item of orders) {
    const directive = item[PATCH] ?? null;
    if (directive === "delete") {
      const id = idOf(item, mergeKey);
      if (id === undefined) throw noMergeKey(item, mergeKey);
      left = left.filter((other) => !deepEqual(idOf(other, mergeKey), id));
    } else if (directive === "merge") {
      throw new StrategicPatchError("other", "merging lists cannot yet be specified in the patch");
    } else if (directive !== "replace") {
      throw new StrategicPatchError("other", `unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
    }
  }
  const isReplaced = orders.some((item) => item[PATCH] === "replace");
  return isReplaced ? { kind: "replaced", items: rest } : { kind: "merged", present: left, changes: rest };
}

function mergeItems(facts: PatchFacts, present: Items, changes: readonly JsonObject[], mergeKey: string): Items {
  const merged = [...present];
  for (const change of changes) {
    const id = idOf(change, mergeKey);
    if (id === undefined) throw noMergeKey(change, mergeKey);
    const index = merged.findIndex((item) => deepEqual(idOf(item, mergeKey), id));
    const found = merged[index];
    if (isJsonObject(found)) merged[index] = mergeObject(facts.schema?.items, found, change);
    else merged.push(change);
  }
  return merged;
}

function noMergeKey(item: JsonObject, mergeKey: string): StrategicPatchError {
  return new StrategicPatchError("other", `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

function deleteScalars(members: Map<string, JsonValue>, directive: string, gone: JsonValue): void {
  const name = fieldOf(directive, DELETE, "invalid patch format of primitive list");
  const list = members.get(name);
  if (!isList(list) || !isList(gone)) return;
  members.set(
    name,
    list.filter((item) => !gone.some((other) => deepEqual(other, item))),
  );
}

/** Merges a list together with the order that is set for it, and takes both out of the changes. */
function setOrder(
  schema: StructuralSchema | undefined,
  members: Map<string, JsonValue>,
  changes: Map<string, JsonValue>,
  directive: string,
  order: JsonValue,
): void {
  changes.delete(directive);
  if (!isList(order)) throw noList(order);
  const name = fieldOf(directive, ORDER, BAD_ORDER);
  const [present, change] = [listIn(members, name), listIn(changes, name)];
  const facts = patchFacts(schema, name);
  checkOrder(change ?? [], order, facts.mergeKey);
  if (present === undefined && change === undefined) return;
  const merged = mergeValue(schema, present, name, change ?? []) ?? [];
  const items = change === undefined ? (present ?? []) : isList(merged) ? merged : [];
  typeOfItems(present ?? [], change ?? []);
  members.set(name, enforceOrder(items, order, present ?? [], facts.mergeKey));
  changes.delete(name);
}

const BAD_ORDER = "invalid patch format of setElementOrder list";

function listIn(members: ReadonlyMap<string, JsonValue>, name: string): Items | undefined {
  const value = members.get(name);
  if (value === undefined || isList(value)) return value;
  throw noList(value);
}

function noList(value: JsonValue): StrategicPatchError {
  const type = isJsonObject(value) ? "map[string]interface {}" : typeof value;
  return new StrategicPatchError("other", `expected a []interface {}, but received a ${type}`);
}

/** Items that are not deleted must all be in the order, and in that order. */
function checkOrder(changes: Items, order: Items, mergeKey: string | undefined): void {
  if (order.length === 0 || changes.length === 0) return;
  const left = changes.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, PATCH));
  let next = 0;
  for (const item of order) {
    if (next < left.length && deepEqual(idOf(left[next] ?? null, mergeKey), idOf(item, mergeKey))) next++;
  }
  if (next === left.length) return;
  throw new StrategicPatchError(
    "other",
    `The order in patch list:\n${goText(changes)}\n doesn't match ${ORDER} list:\n${goText(order)}\n`,
  );
}

function fieldOf(directive: string, prefix: string, problem: string): string {
  if (directive.startsWith(`${prefix}/`)) return directive.slice(prefix.length + 1);
  throw new StrategicPatchError("malformed", problem);
}
