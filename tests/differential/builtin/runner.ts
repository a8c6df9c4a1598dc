import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { Asked } from "../pair.ts";

/** Compares what two servers make of the same writes to built-in kinds. */

/** One change of an object that a case created. */
export type Change =
  | {
      /** A merge patch; applied to the status part if it has a field `status` and nothing else. */
      readonly merge: JsonObject;
      /** The part to patch; default: the object. */
      readonly part?: "status";
    }
  | {
      /** What replaces the object, as `kubectl replace` sends it: a manifest, or the object as it is read. */
      readonly replace: JsonObject | "as read";
    };

/** An object to create, and what to do to it then. */
export interface Case {
  /** A sentence about what is special. */
  readonly name: string;
  readonly body: JsonObject;
  /** Changes, one after the other. If there is no such list, not even an empty one, the object is only tried out. */
  readonly changes?: readonly Change[];
  /** Why the words of an error are not compared; its code, fields and reasons are. */
  readonly words?: string;
}

/** What a server said to one write. */
export interface Outcome {
  readonly code: number;
  readonly object?: JsonValue;
  readonly reason?: string;
  readonly message?: string;
  /** `field reason message`, sorted. */
  readonly causes?: readonly string[];
}

const NAMESPACE = "differential";

/** Makes the namespace that the cases live in. */
export async function prepare(server: Asked): Promise<void> {
  await call(server, "POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
}

/** What a server makes of a case: one outcome for each write. */
export async function outcomesOf(server: Asked, test: Case): Promise<readonly Outcome[]> {
  const { body, changes } = test;
  const collection = collectionOf(body);
  const query = changes === undefined ? "?dryRun=All" : "";
  const created = await call(server, "POST", collection + query, body);
  const outcomes = [outcomeOf(created, test)];
  const name = nameOf(created.body);
  for (const change of created.code < 300 ? (changes ?? []) : []) {
    outcomes.push(outcomeOf(await applyChange(server, `${collection}/${name}`, change), test));
  }
  return outcomes;
}

async function applyChange(server: Asked, path: string, change: Change): Promise<Answer> {
  if ("merge" in change) {
    return call(server, "PATCH", change.part === undefined ? path : `${path}/${change.part}`, change.merge);
  }
  const { replace } = change;
  // What is read is JSON.
  const body = replace === "as read" ? ((await server.ask(path)).body as JsonValue) : replace;
  return call(server, "PUT", path, body);
}

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

async function call(server: Asked, method: string, path: string, body: JsonValue): Promise<Answer> {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const answered = await server.ask(path, { method, body, contentType });
  // Every answer of an API server to a write is an object.
  return { code: answered.code, body: answered.body as JsonObject };
}

/** Kinds without a namespace. */
const CLUSTER_KINDS: readonly string[] = [
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "ClusterRole",
  "ClusterRoleBinding",
  "StorageClass",
  "IngressClass",
  "CSIDriver",
  "VolumeAttachment",
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];

function collectionOf(body: JsonObject): string {
  const { apiVersion, kind } = body;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    throw new TypeError("a case needs apiVersion and kind");
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const home = CLUSTER_KINDS.includes(kind) ? root : `${root}/namespaces/${NAMESPACE}`;
  return `${home}/${pluralOf(kind)}`;
}

function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("y")) return `${singular.slice(0, -1)}ies`;
  if (singular === "endpoints") return singular;
  return singular.endsWith("s") || singular.endsWith("x") ? `${singular}es` : `${singular}s`;
}

function nameOf(body: JsonObject): string {
  return textOf(body["metadata"], "name");
}

function textOf(value: JsonValue | undefined, field: string): string {
  const text = isJsonObject(value) ? value[field] : undefined;
  return typeof text === "string" ? text : "";
}

function outcomeOf({ code, body }: Answer, test: Case): Outcome {
  if (code < 300) return { code, object: scrubbed(body) };
  const { details } = body;
  const causes = isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"] : [];
  const withWords = test.words === undefined;
  return {
    code,
    reason: textOf(body, "reason"),
    ...(withWords ? { message: unordered(textOf(body, "message")) } : {}),
    causes: causes.map((cause) => described(cause, withWords)).toSorted(),
  };
}

function described(cause: JsonValue, withWords: boolean): string {
  const parts = ["field", "reason", ...(withWords ? ["message"] : [])];
  return parts.map((part) => textOf(cause, part)).join(" ");
}

/** A message that lists several errors, in an order of its own: the real server's follows from that of a map in places. */
function unordered(message: string): string {
  return message.replace(/ is invalid: \[.*\]$/su, (list) => ` is invalid: ${list.length} characters in any order`);
}

/** Fields whose values no two servers share. */
const OWN_VALUES: readonly string[] = ["uid", "resourceVersion", "creationTimestamp", "managedFields"];
const TIMES: readonly string[] = ["lastTransitionTime", "lastPhaseTransitionTime"];
const PROTECTION: readonly string[] = ["kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"];

function scrubbed(object: JsonObject): JsonValue {
  return scrub(object, "", textOf(object["metadata"], "uid"));
}

function scrub(value: JsonValue, name: string, uid: string): JsonValue {
  if (typeof value === "string") {
    if (name === "clusterIP" || name === "clusterIPs") return value === "None" ? value : "<address>";
    return TIMES.includes(name) ? "<time>" : value.replaceAll(uid === "" ? "\0" : uid, "<uid>");
  }
  if (typeof value === "number" && /nodePort$/iu.test(name) && value >= 30_000) return "<port>";
  if (Array.isArray(value)) return value.map((item) => scrub(item, name, uid));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([field]) => name !== "metadata" || !OWN_VALUES.includes(field))
    .map(([field, child]) => [field, scrub(child, field, uid)] as const)
    // No controller here lets go of what is in use, so these finalizers are left out.
    .map(([field, child]) => [field, field === "finalizers" ? unprotected(child) : child] as const)
    .filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

function unprotected(finalizers: JsonValue): JsonValue | undefined {
  if (!Array.isArray(finalizers)) return finalizers;
  const rest = finalizers.filter((finalizer) => !PROTECTION.includes(String(finalizer)));
  return rest.length === 0 ? undefined : rest;
}
