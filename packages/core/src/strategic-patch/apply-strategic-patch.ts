/**
 * Strategic merge patch (k8s.io/apimachinery/pkg/util/strategicpatch): a merge patch that merges some lists by item and
 * supports directives in keys that begin with `$`. Only built-in kinds have the required `x-kubernetes-patch-…`
 * extensions in their schemas.
 */
import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { formatGoValue } from "../error/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";
import { lookupPatchMeta } from "./patch-meta.ts";
import type { PatchMeta } from "./patch-meta.ts";
import { normalizeElementOrder, mergeKeyValue, sliceElementType } from "./element-order.ts";
import type { Items } from "./element-order.ts";

const PATCH = "$patch";
const RETAIN = "$retainKeys";
const ORDER = "$setElementOrder";
const DELETE = "$deleteFromPrimitiveList";

/** Merges a patch into an object with the schema of its kind. Throws a `StrategicPatchError`. */
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
  throw new StrategicPatchError(
    "other",
    `unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(patch)}`,
  );
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

/** Returns undefined if the change is only a directive. */
function mergeValue(
  schema: StructuralSchema | undefined,
  present: JsonValue | undefined,
  name: string,
  change: JsonValue,
): JsonValue | undefined {
  if (isJsonObject(present) && isJsonObject(change)) {
    const facts = lookupPatchMeta(schema, name);
    return facts.strategy === "replace" ? change : mergeObject(facts.schema, present, change);
  }
  if (isList(present) && isList(change)) {
    const facts = lookupPatchMeta(schema, name);
    return facts.strategy === "merge" ? mergeList(facts, present, change) : change;
  }
  return withoutDirectives(change);
}

function isList(value: JsonValue | undefined): value is Items {
  return Array.isArray(value);
}

/** Returns a new value without nulls and directives; undefined if it is a directive itself. */
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

function mergeList(facts: PatchMeta, present: Items, changes: Items): Items {
  if (present.length === 0 && changes.length === 0) return present;
  if (sliceElementType(present, changes) !== "object") {
    const all = [...present, ...changes];
    const unique = all.filter((item, index) => all.findIndex((other) => deepEqual(other, item)) === index);
    return normalizeElementOrder(unique, changes, present, undefined);
  }
  const { mergeKey } = facts;
  if (mergeKey === undefined) {
    throw new StrategicPatchError("other", "cannot merge lists without merge key for struct");
  }
  // All items are objects, by their common type.
  const special = specialItems(present, changes as readonly JsonObject[], mergeKey);
  if (special.kind === "replaced") return special.items;
  const merged = mergeItems(facts, special.present, special.changes, mergeKey);
  return normalizeElementOrder(merged, special.changes, special.present, mergeKey);
}

type Special =
  | { readonly kind: "replaced"; readonly items: Items }
  | { readonly kind: "merged"; readonly present: Items; readonly changes: readonly JsonObject[] };

/** Executes the items that are directives. */
function specialItems(present: Items, changes: readonly JsonObject[], mergeKey: string): Special {
  const orders = changes.filter((item) => Object.hasOwn(item, PATCH));
  const rest = changes.filter((item) => !Object.hasOwn(item, PATCH));
  let left = present;
  for (const item of orders) {
    const directive = item[PATCH] ?? null;
    if (directive === "delete") {
      const id = mergeKeyValue(item, mergeKey);
      if (id === undefined) throw noMergeKey(item, mergeKey);
      left = left.filter((other) => !deepEqual(mergeKeyValue(other, mergeKey), id));
    } else if (directive === "merge") {
      throw new StrategicPatchError("other", "merging lists cannot yet be specified in the patch");
    } else if (directive !== "replace") {
      throw new StrategicPatchError(
        "other",
        `unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(item)}`,
      );
    }
  }
  const isReplaced = orders.some((item) => item[PATCH] === "replace");
  return isReplaced ? { kind: "replaced", items: rest } : { kind: "merged", present: left, changes: rest };
}

function mergeItems(facts: PatchMeta, present: Items, changes: readonly JsonObject[], mergeKey: string): Items {
  const merged = [...present];
  for (const change of changes) {
    const id = mergeKeyValue(change, mergeKey);
    if (id === undefined) throw noMergeKey(change, mergeKey);
    const index = merged.findIndex((item) => deepEqual(mergeKeyValue(item, mergeKey), id));
    const found = merged[index];
    if (isJsonObject(found)) merged[index] = mergeObject(facts.schema?.items, found, change);
    else merged.push(change);
  }
  return merged;
}

function noMergeKey(item: JsonObject, mergeKey: string): StrategicPatchError {
  return new StrategicPatchError(
    "other",
    `map: ${formatGoValue(item)} does not contain declared merge key: ${mergeKey}`,
  );
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

/** Merges a list with its `$setElementOrder` directive and removes both from the changes. */
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
  const facts = lookupPatchMeta(schema, name);
  checkOrder(change ?? [], order, facts.mergeKey);
  if (present === undefined && change === undefined) return;
  const merged = mergeValue(schema, present, name, change ?? []) ?? [];
  const items = change === undefined ? (present ?? []) : isList(merged) ? merged : [];
  sliceElementType(present ?? [], change ?? []);
  members.set(name, normalizeElementOrder(items, order, present ?? [], facts.mergeKey));
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

/** Requires that all items that are not deleted are in the order list, in the same order. */
function checkOrder(changes: Items, order: Items, mergeKey: string | undefined): void {
  if (order.length === 0 || changes.length === 0) return;
  const left = changes.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, PATCH));
  let next = 0;
  for (const item of order) {
    if (next < left.length && deepEqual(mergeKeyValue(left[next] ?? null, mergeKey), mergeKeyValue(item, mergeKey)))
      next++;
  }
  if (next === left.length) return;
  throw new StrategicPatchError(
    "other",
    `The order in patch list:\n${formatGoValue(changes)}\n doesn't match ${ORDER} list:\n${formatGoValue(order)}\n`,
  );
}

function fieldOf(directive: string, prefix: string, problem: string): string {
  if (directive.startsWith(`${prefix}/`)) return directive.slice(prefix.length + 1);
  throw new StrategicPatchError("malformed", problem);
}
