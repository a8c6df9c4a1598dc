import { applyMergePatch } from "@levelset/core/apply";
import { CLUSTER_ORIGIN, parseJson, stringifyJson } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";
import type { Case, CaseOperation } from "./operation.ts";

/** Response of a server to one request, without values that differ between servers. */
export interface Outcome {
  readonly code: number;
  readonly body: JsonValue;
}

/** Sends one request of a case. */
export async function sendOperation(fetch: Fetch, one: Case, operation: CaseOperation): Promise<Outcome> {
  const { name } = one;
  const collection = one.collections?.[one.operations.indexOf(operation)] ?? one.collection;
  const object = `${collection}/${name}`;
  const path = "subresource" in operation ? `${object}/${operation.subresource}` : object;
  switch (operation.kind) {
    case "create":
      return send(fetch, "POST", `${collection}?fieldManager=${operation.manager}`, "json", operation.body);
    case "apply": {
      const query = `?fieldManager=${operation.manager}${operation.force ? "&force=true" : ""}`;
      return send(fetch, "PATCH", path + query, "apply-patch+yaml", operation.body);
    }
    case "update": {
      const live = await call(fetch, "GET", object, "json", undefined);
      const body = applyMergePatch(live.body, operation.change);
      return send(fetch, "PUT", `${path}?fieldManager=${operation.manager}`, "json", body);
    }
    case "patch": {
      const type = `${operation.type}+json`;
      return send(fetch, "PATCH", `${path}?fieldManager=${operation.manager}`, type, operation.patch);
    }
    case "raw": {
      const { method, suffix, type, body } = operation;
      const whole = `${method === "POST" ? collection : object}${suffix}`;
      const { code, body: response } = await call(fetch, method, whole, type, method === "GET" ? undefined : body);
      if (code < 300 || !isJsonObject(response)) return { code, body: normalObject(response) };
      return { code, body: { ...normalFailure(response), message: anyOrder(response["message"]) } };
    }
  }
}

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TRIES = 400;

/** Creates or updates a CRD and waits until it is in effect. Its newest field must be the last of its spec. */
export async function installCrdAndWait(fetch: Fetch, crd: JsonObject): Promise<void> {
  const { name } = crd["metadata"] as { readonly name: string };
  const path = `${CRDS}/${name}?fieldManager=install&force=true`;
  const { code, body } = await call(fetch, "PATCH", path, "apply-patch+yaml", crd);
  if (code >= 300) throw new TypeError(`${name}: ${stringifyJson(body)}`);
  const { group, names, versions } = crd["spec"] as unknown as DeclaredSpec;
  const [version] = versions;
  const spec = version?.schema.openAPIV3Schema.properties["spec"]?.properties ?? {};
  const [field = ""] = Object.keys(spec).slice(-1);
  const apiVersion = `${group}/${version?.name}`;
  const probe = { apiVersion, kind: names.kind, metadata: { name: "probe" }, spec: { [field]: null } };
  const collection = `/apis/${apiVersion}/namespaces/default/${names.plural}`;
  for (let tried = 0; tried < TRIES; tried++) {
    const result = await call(
      fetch,
      "PATCH",
      `${collection}/probe?fieldManager=p&dryRun=All`,
      "apply-patch+yaml",
      probe,
    );
    // 422: the field is known and rejects null.
    if (result.code < 300 || result.code === 422) return;
  }
  throw new TypeError(`${name} is not served`);
}

interface DeclaredSpec {
  readonly group: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly versions: readonly {
    readonly name: string;
    readonly schema: {
      readonly openAPIV3Schema: { readonly properties: Readonly<Record<string, { readonly properties?: JsonObject }>> };
    };
  }[];
}

async function send(fetch: Fetch, method: string, path: string, type: string, body: JsonValue): Promise<Outcome> {
  const { code, body: response } = await call(fetch, method, path, type, body);
  return { code, body: code < 300 ? normalObject(response) : normalFailure(response) };
}

async function call(
  fetch: Fetch,
  method: string,
  path: string,
  type: string,
  body: JsonValue | undefined,
): Promise<Outcome> {
  const headers = { "content-type": `application/${type}`, "user-agent": "differential/1" };
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : stringifyJson(body) }),
  };
  const response = await fetch(new Request(CLUSTER_ORIGIN + path, init));
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { code: response.status, body: isJson ? parseJson(text) : text };
}

function normalFailure(status: JsonValue): JsonObject {
  if (!isJsonObject(status)) return { message: status };
  const details = isJsonObject(status["details"]) ? status["details"] : {};
  const causes = list(details["causes"]).flatMap((cause) => {
    const { field = "", reason = "", message = "" } = isJsonObject(cause) ? cause : {};
    // The embedded server names the failed operation of a JSON patch in a cause without field.
    if (field === "") return [];
    return [reason === "FieldManagerConflict" ? [field, reason, message] : [field, reason]];
  });
  const isConflict = status["code"] === 409;
  return {
    reason: status["reason"] ?? "",
    causes: causes.map((cause) => stringifyJson(cause)).toSorted(),
    message: isConflict ? anyOrder(status["message"]) : "",
  };
}

/** Returns the sorted lines of a message: kube-apiserver lists fields in random map order. */
function anyOrder(message: JsonValue | undefined): readonly string[] {
  return typeof message === "string" ? message.split("\n").toSorted() : [];
}

const VOLATILE = ["uid", "resourceVersion", "creationTimestamp"];

function normalObject(object: JsonValue): JsonValue {
  if (!isJsonObject(object) || !isJsonObject(object["metadata"])) return object;
  const metadata = Object.fromEntries(Object.entries(object["metadata"]).filter(([name]) => !VOLATILE.includes(name)));
  const managedFields = list(metadata["managedFields"])
    .map((entry) => (isJsonObject(entry) && entry["time"] !== undefined ? { ...entry, time: "some" } : entry))
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return {
    ...object,
    metadata: { ...metadata, managedFields },
    ...normalSpec(object["spec"]),
    ...(object["status"] === undefined ? {} : { status: withoutEmptyTexts(object["status"]) }),
  };
}

/** A required text of a condition without an owner is empty in kube-apiserver, and absent in the embedded server. */
function withoutEmptyTexts(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return list(value).map(withoutEmptyTexts);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, child]) => child !== "");
  return Object.fromEntries(members.map(([name, child]) => [name, withoutEmptyTexts(child)]));
}

/** Managers of the same second are ordered by name; the second itself is random. */
function rank(entry: JsonValue): string {
  const { operation = "", manager = "", apiVersion = "", subresource = "" } = isJsonObject(entry) ? entry : {};
  return stringifyJson([operation, manager, apiVersion, subresource]);
}

/** Addresses of services are allocated randomly. */
function normalSpec(spec: JsonValue | undefined): JsonObject {
  if (!isJsonObject(spec) || typeof spec["clusterIP"] !== "string" || spec["clusterIP"] === "None") {
    return spec === undefined ? {} : { spec };
  }
  return { spec: { ...spec, clusterIP: "some", clusterIPs: ["some"] } };
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // isArray loses the type of the items
}
