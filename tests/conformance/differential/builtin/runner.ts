import { apiVersionOf, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { BUILTIN_KINDS } from "../../../support/builtin-kinds.ts";
import type { RawClient } from "../raw-clients.ts";

/** Compares the results of two servers for the same writes to built-in kinds. */

/** A change of the object of a case. */
export type Change =
  | {
      /** A merge patch; applied to the status subresource if it has only the field `status`. */
      readonly merge: JsonObject;
      /** Subresource to patch; default: the object. */
      readonly part?: "status";
    }
  | {
      /** Replacement as sent by `kubectl replace`: a manifest, or the object as read. */
      readonly replace: JsonObject | "as read";
    };

/** An object to create, and its changes. */
export interface Case {
  /** Short description of the case. */
  readonly name: string;
  readonly body: JsonObject;
  /** Changes in order. If absent (not just empty), the object is only created as a dry run. */
  readonly changes?: readonly Change[];
  /** Why the error message is not compared; code, fields and reasons are. */
  readonly messageDifference?: string;
}

/** Response of a server to one write. */
export interface Outcome {
  readonly code: number;
  readonly object?: JsonValue;
  readonly reason?: string;
  readonly message?: string;
  /** `field reason message`, sorted. */
  readonly causes?: readonly string[];
}

const NAMESPACE = "differential";

/** Creates the namespace of the cases. */
export async function prepare(server: RawClient): Promise<void> {
  await call(server, "POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
}

/** Runs a case: one outcome per write. */
export async function outcomesOf(server: RawClient, test: Case): Promise<readonly Outcome[]> {
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

async function applyChange(server: RawClient, path: string, change: Change): Promise<Answer> {
  if ("merge" in change) {
    return call(server, "PATCH", change.part === undefined ? path : `${path}/${change.part}`, change.merge);
  }
  const { replace } = change;
  // The response is JSON.
  const body = replace === "as read" ? ((await server.request(path)).body as JsonValue) : replace;
  return call(server, "PUT", path, body);
}

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

async function call(server: RawClient, method: string, path: string, body: JsonValue): Promise<Answer> {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const answered = await server.request(path, { method, body, contentType });
  // Every response of an API server to a write is an object.
  return { code: answered.code, body: answered.body as JsonObject };
}

function collectionOf(body: JsonObject): string {
  const { apiVersion, kind } = body;
  const declared = BUILTIN_KINDS.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  if (declared === undefined) throw new TypeError("a case needs apiVersion and kind of a built-in kind");
  const root = declared.group === "" ? "/api" : `/apis/${declared.group}`;
  const namespace = declared.scope === "Cluster" ? "" : `/namespaces/${NAMESPACE}`;
  return `${root}/${declared.version}${namespace}/${declared.plural}`;
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
  const withWords = test.messageDifference === undefined;
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

/** Replaces the list of errors by its length: kube-apiserver partly lists them in map order. */
function unordered(message: string): string {
  return message.replace(/ is invalid: \[.*\]$/su, (list) => ` is invalid: ${list.length} characters in any order`);
}

/** Fields whose values differ between servers. */
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
    // These finalizers are ignored, because no controller removes them here.
    .map(([field, child]) => [field, field === "finalizers" ? unprotected(child) : child] as const)
    .filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

function unprotected(finalizers: JsonValue): JsonValue | undefined {
  if (!Array.isArray(finalizers)) return finalizers;
  const rest = finalizers.filter((finalizer) => !PROTECTION.includes(String(finalizer)));
  return rest.length === 0 ? undefined : rest;
}
