import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** Stands for a value that a server assigns when it creates the object, so that it differs between a copy and the cluster. */
const ASSIGNED = "(assigned)";

/** Fields of a new Service that the server fills; see `pkg/registry/core/service/storage/alloc.go` of Kubernetes 1.36. */
const SERVICE_FIELDS: ReadonlySet<string> = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);

/** Replaces the values of an object that a server assigns: UIDs of new objects, addresses and ports of a new Service. */
export function maskAssigned(
  object: JsonObject,
  { newUids, isNew }: { readonly newUids: ReadonlySet<string>; readonly isNew: boolean },
): JsonObject {
  const fields = isNew && object["kind"] === "Service" ? SERVICE_FIELDS : new Set<string>();
  return masked(object, newUids, fields) as JsonObject; // an object stays one
}

function masked(value: JsonValue, uids: ReadonlySet<string>, fields: ReadonlySet<string>): JsonValue {
  if (typeof value === "string") return uids.has(value) ? ASSIGNED : value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => masked(item, uids, fields));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JsonValue])[] => {
    if (member === undefined) return [];
    return [[name, fields.has(name) && !isHeadless(member) ? ASSIGNED : masked(member, uids, fields)]];
  });
  return Object.fromEntries(entries);
}

/** Reports whether a Service has no address on purpose. */
function isHeadless(value: JsonValue): boolean {
  return value === "None" || (Array.isArray(value) && value.includes("None"));
}
