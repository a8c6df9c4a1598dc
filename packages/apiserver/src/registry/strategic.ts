import { deepEqual, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { badRequest } from "./failure.ts";

/** How a list is merged: as a set of scalars, by a key of its objects, or not at all (replaced as a whole). */
type ListMerge = { readonly kind: "set" } | { readonly kind: "map"; readonly key: string };

/** The lists of the built-in kinds that merge. All others are replaced. */
const LISTS: Readonly<Record<string, ListMerge>> = {
  "metadata.finalizers": { kind: "set" },
  "metadata.ownerReferences": { kind: "map", key: "uid" },
  "status.conditions": { kind: "map", key: "type" },
};

const ORDER = "$setElementOrder/";
const DELETE = "$deleteFromPrimitiveList/";

/** Applies a strategic merge patch to an object of a built-in kind. Throws BadRequest for a directive that is unknown. */
export function applyStrategicPatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) throw badRequest("a strategic merge patch must be an object");
  return mergeMap(isJsonObject(target) ? target : {}, patch, "");
}

function mergeMap(target: JsonObject, patch: JsonObject, path: string): JsonObject {
  const { $patch: directive, $retainKeys: retain, ...changes } = patch;
  if (directive === "replace") return withoutDirectives(changes);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw badRequest(`Unknown patch directive: ${JSON.stringify(directive)}`);
  }
  const members = new Map(Object.entries(target));
  if (Array.isArray(retain)) {
    for (const name of members.keys()) if (!retain.includes(name)) members.delete(name);
  }
  for (const [name, change] of Object.entries(changes)) {
    if (name.startsWith(ORDER)) continue;
    if (name.startsWith(DELETE)) {
      const field = name.slice(DELETE.length);
      members.set(field, removeScalars(members.get(field), change));
    } else if (change === null) members.delete(name);
    else members.set(name, mergeValue(members.get(name), change, path === "" ? name : `${path}.${name}`));
  }
  for (const [name, order] of Object.entries(changes)) {
    if (name.startsWith(ORDER)) reorder(members, name.slice(ORDER.length), order, path);
  }
  return Object.fromEntries(members);
}

function mergeValue(target: JsonValue | undefined, change: JsonValue, path: string): JsonValue {
  if (isJsonObject(change)) return mergeMap(isJsonObject(target) ? target : {}, change, path);
  if (!Array.isArray(change)) return change;
  const merge = Object.hasOwn(LISTS, path) ? LISTS[path] : undefined;
  // Array.isArray does not narrow a readonly list to one of its items.
  const [items, present] = [
    change as readonly JsonValue[],
    Array.isArray(target) ? (target as readonly JsonValue[]) : [],
  ];
  if (merge === undefined) return items;
  if (merge.kind === "set") return [...present, ...items.filter((item) => !includes(present, item))];
  return mergeByKey(present, items, merge.key, path);
}

function mergeByKey(
  present: readonly JsonValue[],
  changes: readonly JsonValue[],
  key: string,
  path: string,
): readonly JsonValue[] {
  const keyOf = (item: JsonValue): JsonValue | undefined => (isJsonObject(item) ? item[key] : undefined);
  const objects = changes.filter((change) => isJsonObject(change));
  if (objects.some((change) => change["$patch"] === "replace" && keyOf(change) === undefined)) {
    return objects.filter((change) => change["$patch"] !== "replace");
  }
  let result = [...present];
  for (const change of objects) {
    const id = keyOf(change);
    if (id === undefined) throw badRequest(`map: ${path} does not contain declared merge key: ${key}`);
    const index = result.findIndex((item) => deepEqual(keyOf(item), id));
    if (change["$patch"] === "delete") result = result.filter((_, at) => at !== index);
    else if (index === -1) result.push(withoutDirectives(change));
    else result = result.map((item, at) => (at === index && isJsonObject(item) ? mergeMap(item, change, "") : item));
  }
  return result;
}

function reorder(members: Map<string, JsonValue>, field: string, order: JsonValue, path: string): void {
  const list = members.get(field);
  if (!Array.isArray(list) || !Array.isArray(order)) return;
  const merge = LISTS[path === "" ? field : `${path}.${field}`];
  const key = merge?.kind === "map" ? merge.key : undefined;
  const idOf = (item: JsonValue): JsonValue => (key !== undefined && isJsonObject(item) ? (item[key] ?? null) : item);
  const rank = (item: JsonValue): number => {
    const found = order.findIndex((wanted: JsonValue) => deepEqual(idOf(wanted), idOf(item)));
    return found === -1 ? order.length : found;
  };
  members.set(
    field,
    list.toSorted((a: JsonValue, b: JsonValue) => rank(a) - rank(b)),
  );
}

function removeScalars(target: JsonValue | undefined, removed: JsonValue): JsonValue {
  if (!Array.isArray(target) || !Array.isArray(removed)) return target ?? [];
  return target.filter((item: JsonValue) => !includes(removed, item));
}

function includes(list: readonly JsonValue[], wanted: JsonValue): boolean {
  return list.some((item) => deepEqual(item, wanted));
}

function withoutDirectives(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => !name.startsWith("$") && value !== null));
}
