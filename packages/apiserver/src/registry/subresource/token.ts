import { invalidError, parseApiVersion, stringifyJson, timestamp, TokenRequest } from "@levelset/core";
import type { FieldError, JsonValue } from "@levelset/core";
import type { ApiObject, Store } from "../../store/index.ts";
import { decodeObject } from "../decode.ts";
import { badRequest, conflict, notFound } from "../failure.ts";
import { invalidField } from "../field.ts";
import type { Registry, WriteOptions } from "../registry.ts";
import type { Target } from "../target.ts";
import { builtinResource } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { API_AUDIENCE } from "../service-account-token.ts";
import type { BoundObject, TokenWish } from "../service-account-token.ts";
import { listOf, recordOf } from "../shape.ts";
import type { View } from "../view.ts";

/** TokenRequests, as a resource: for decoding and for showing. They have no path of their own. */
export const TOKEN_REQUESTS: Resource = {
  ...builtinResource(TokenRequest, { unconditionalUpdate: true, hasGeneration: false, categories: [] }),
  verbs: [],
};

const SUBJECT = { group: "authentication.k8s.io", plural: "TokenRequest" };
const HOUR_SECONDS = 3600;
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

/** Issues a token of a service account: the request with the token in its status. */
export function requestToken(
  registry: Registry,
  target: Target,
  body: JsonValue,
  options: WriteOptions & { readonly nowMs: number },
): View {
  const { draft } = decodeObject(TOKEN_REQUESTS, body, options.fieldValidation);
  const { name = "", namespace = "", uid = "" } = draft.metadata;
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
    throw conflict(SUBJECT, target.name, why);
  }
  const spec = recordOf(draft["spec"]);
  const seconds = spec["expirationSeconds"] ?? HOUR_SECONDS;
  refuse("", expirationErrors(Number(seconds)));
  const given = listOf(spec["audiences"]).filter((audience) => typeof audience === "string");
  const audiences = given.length === 0 ? [API_AUDIENCE] : given;
  const { bound, node } = boundTo(registry.store, target, recordOf(spec["boundObjectRef"]));
  const wish: TokenWish = { account, audiences, expirationSeconds: Number(seconds), bound, node };
  const answer: ApiObject = {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    // A token is no object: it has no version.
    metadata: {
      name: account.metadata.name,
      namespace: target.namespace,
      uid: account.metadata.uid,
      creationTimestamp: timestamp(options.nowMs),
    } as ApiObject["metadata"],
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec["boundObjectRef"] ?? null },
    status: {
      token: registry.tokens.issue(wish),
      expirationTimestamp: timestamp(options.nowMs + Number(seconds) * 1000),
    },
  };
  return { object: answer, json: stringifyJson(answer) };
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

/** The object that the token is to go with. */
function boundTo(
  store: Store,
  target: Target,
  reference: Readonly<Record<string, unknown>>,
): Pick<TokenWish, "bound" | "node"> {
  // Decoding has made sure that all of it is text.
  const { kind, apiVersion = "", name = "", uid = "" } = reference as Readonly<Record<string, string | undefined>>;
  if (kind === undefined) return { bound: undefined, node: undefined };
  if (apiVersion !== "v1" || (kind !== "Pod" && kind !== "Secret" && kind !== "Node")) {
    const { group, version } = parseApiVersion(apiVersion);
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const plural = `${kind.toLowerCase()}s`;
  const namespace = kind === "Node" ? "" : target.namespace;
  const object = store.get({ resource: plural, namespace, name: name })?.object;
  if (object === undefined) throw notFound({ group: "", plural }, name);
  const bound: BoundObject = { kind, object };
  const { nodeName = "", serviceAccountName = "" } = recordOf(object["spec"]);
  if (kind === "Pod" && serviceAccountName !== target.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(target.name)} to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== "" && uid !== object.metadata.uid) {
    const why =
      `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
      "The object might have been deleted and then recreated";
    throw conflict({ group: "", plural: kind }, name, why);
  }
  return { bound, node: kind === "Pod" && nodeName !== "" ? nodeOf(store, String(nodeName)) : undefined };
}

function nodeOf(store: Store, name: string): NonNullable<TokenWish["node"]> {
  const uid = store.get({ resource: "nodes", namespace: "", name })?.object.metadata.uid;
  return { name, ...(uid === undefined ? {} : { uid }) };
}
