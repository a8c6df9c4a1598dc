import { invalidError, parseApiVersion, stringifyJson, formatTimestamp } from "@levelset/core/internal";
import { TokenRequest } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";
import type { ApiObject, Store } from "../../store/index.ts";
import { decodeObject } from "../decode.ts";
import {
  badRequestError,
  conflictError,
  notFoundError,
  invalidField,
  builtinResource,
  asArray,
  asRecord,
} from "../../resource/index.ts";
import type { Registry } from "../registry.ts";
import type { WriteOptions } from "../write-options.ts";
import type { ResourceObjectRef } from "../resource-object-ref.ts";
import type { Resource } from "../../resource/index.ts";
import { API_AUDIENCE } from "../../auth/index.ts";
import type { BoundObject, ServiceAccountTokenSpec } from "../../auth/index.ts";
import type { VersionedObject } from "../versioned-object.ts";

/** The resource of TokenRequests, for decoding and encoding only. It is not served. */
export const TOKEN_REQUEST_RESOURCE: Resource = builtinResource({ kind: TokenRequest, verbs: [] });

const SUBJECT = { group: "authentication.k8s.io", plural: "TokenRequest" };
const HOUR_SECONDS = 3600;
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

/** Issues a service account token. Returns the TokenRequest with the token in its status. */
export function requestToken(
  registry: Registry,
  target: ResourceObjectRef,
  body: JsonValue,
  options: WriteOptions & { readonly nowMs: number },
): VersionedObject {
  const { object } = decodeObject(TOKEN_REQUEST_RESOURCE, body, options.fieldValidation);
  const { name = "", namespace = "", uid = "" } = object.metadata;
  refuse(target.name, [
    ...(name === "" || name === target.name
      ? []
      : [invalidField("metadata.name", name, "must match the service account name if specified")]),
    ...(namespace === "" || namespace === target.namespace
      ? []
      : [invalidField("metadata.namespace", namespace, "must match the service account namespace if specified")]),
  ]);
  const account = registry.get(target).object;
  if (uid !== "" && uid !== account.metadata.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`;
    throw conflictError(SUBJECT, target.name, why);
  }
  const spec = asRecord(object["spec"]);
  const seconds = spec["expirationSeconds"] ?? HOUR_SECONDS;
  refuse("", expirationErrors(Number(seconds)));
  const given = asArray(spec["audiences"]).filter((audience) => typeof audience === "string");
  const audiences = given.length === 0 ? [API_AUDIENCE] : given;
  const { bound, node } = boundTo(registry.store, target, asRecord(spec["boundObjectRef"]));
  const tokenSpec: ServiceAccountTokenSpec = { account, audiences, expirationSeconds: Number(seconds), bound, node };
  const result: ApiObject = {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    // A TokenRequest is not stored, so it has no resourceVersion.
    metadata: {
      name: account.metadata.name,
      namespace: target.namespace,
      uid: account.metadata.uid,
      creationTimestamp: formatTimestamp(options.nowMs),
    } as ApiObject["metadata"],
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec["boundObjectRef"] ?? null },
    status: {
      token: registry.tokens.issue(tokenSpec),
      expirationTimestamp: formatTimestamp(options.nowMs + Number(seconds) * 1000),
    },
  };
  return { object: result, json: stringifyJson(result) };
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: "TokenRequest", group: SUBJECT.group, name }, errors);
}

function expirationErrors(seconds: number): readonly FieldError[] {
  const field = "spec.expirationSeconds";
  if (seconds < LEAST_SECONDS) return [invalidField(field, seconds, "may not specify a duration less than 10 minutes")];
  if (seconds <= MOST_SECONDS) return [];
  return [invalidField(field, seconds, "may not specify a duration larger than 2^32 seconds")];
}

/** Resolves the object that the token is bound to. */
function boundTo(
  store: Store,
  target: ResourceObjectRef,
  reference: Readonly<Record<string, unknown>>,
): Pick<ServiceAccountTokenSpec, "bound" | "node"> {
  // Decoding has checked that all fields are strings.
  const { kind, apiVersion = "", name = "", uid = "" } = reference as Readonly<Record<string, string | undefined>>;
  if (kind === undefined) return { bound: undefined, node: undefined };
  if (apiVersion !== "v1" || (kind !== "Pod" && kind !== "Secret" && kind !== "Node")) {
    const { group, version } = parseApiVersion(apiVersion);
    throw badRequestError(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const plural = `${kind.toLowerCase()}s`;
  const namespace = kind === "Node" ? "" : target.namespace;
  const object = store.get({ resource: plural, namespace, name: name })?.object;
  if (object === undefined) throw notFoundError({ group: "", plural }, name);
  const bound: BoundObject = { kind, object };
  const { nodeName = "", serviceAccountName = "" } = asRecord(object["spec"]);
  if (kind === "Pod" && serviceAccountName !== target.name) {
    throw badRequestError(
      `cannot bind token for serviceaccount ${JSON.stringify(target.name)} to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== "" && uid !== object.metadata.uid) {
    const why =
      `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
      "The object might have been deleted and then recreated";
    throw conflictError({ group: "", plural: kind }, name, why);
  }
  return { bound, node: kind === "Pod" && nodeName !== "" ? nodeOf(store, String(nodeName)) : undefined };
}

function nodeOf(store: Store, name: string): NonNullable<ServiceAccountTokenSpec["node"]> {
  const uid = store.get({ resource: "nodes", namespace: "", name })?.object.metadata.uid;
  return { name, ...(uid === undefined ? {} : { uid }) };
}
