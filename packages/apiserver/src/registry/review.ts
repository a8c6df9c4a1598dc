import { deepEqual, invalidError, isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { AccessRequest, Authorizer } from "./authorizer.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";
import { badRequestError } from "./status-errors.ts";
import { invalidField } from "./field-errors.ts";
import type { Resource } from "./resource.ts";
import { API_AUDIENCE } from "./service-account-token.ts";
import type { TokenAuthenticator } from "./service-account-token.ts";
import { asArray, asRecord } from "./json-access.ts";
import type { RequestUser } from "./user.ts";

/** Context of a review. */
export interface ReviewContext {
  /** Namespace of the request path; empty for cluster-scoped reviews. */
  readonly namespace: string;
  readonly user: RequestUser;
  readonly authorizer: Authorizer;
  readonly tokens: TokenAuthenticator;
}

type Answerer = (
  draft: UnvalidatedObject,
  context: ReviewContext,
  resource: Resource,
) => Readonly<Record<string, unknown>>;

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  SelfSubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, context.user),
  SubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, subjectOf(draft)),
  LocalSubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, subjectOf(draft)),
  SelfSubjectRulesReview: rulesAnswer,
  TokenReview: tokenAnswer,
  SelfSubjectReview: (draft, { user }) => ({ ...draft, status: { userInfo: userInfo(user) } }),
};

/** Returns whether objects of a resource are reviews, which are evaluated and never stored. */
export function isReview(resource: Resource): boolean {
  return Object.hasOwn(ANSWERERS, resource.kind) && !resource.isCustom;
}

/** Evaluates a review and returns it with its `status`. Throws Invalid and BadRequest. */
export function evaluateReview(
  resource: Resource,
  draft: UnvalidatedObject,
  context: ReviewContext,
): Readonly<Record<string, unknown>> {
  const answerer = ANSWERERS[resource.kind];
  if (answerer === undefined) throw new TypeError(`${resource.kind} is not a review`);
  return answerer(draft, context, resource);
}

function accessAnswer(
  draft: UnvalidatedObject,
  context: ReviewContext,
  resource: Resource,
  user: RequestUser,
): Readonly<Record<string, unknown>> {
  const spec = asRecord(draft["spec"]);
  const errors = accessErrors(draft, resource, context);
  // The kind is empty in this error, as in pkg/registry/authorization (Kubernetes 1.36).
  if (errors.length > 0) throw invalidError({ kind: "", group: resource.group, name: "" }, errors);
  const decision = context.authorizer.authorize(accessRequest(spec, user));
  return {
    ...draft,
    status: {
      allowed: decision.kind === "allowed",
      ...(decision.kind === "denied" ? { denied: true } : {}),
      ...(decision.reason === "" ? {} : { reason: decision.reason }),
    },
  };
}

function accessErrors(draft: UnvalidatedObject, resource: Resource, context: ReviewContext): readonly FieldError[] {
  const spec = asRecord(draft["spec"]);
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    errors.push(invalidField("spec.nonResourceAttributes", nonResourceAttributes, why));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.push(invalidField("spec.resourceAttributes", null, why));
  }
  if (
    resource.kind !== "SelfSubjectAccessReview" &&
    (spec["user"] ?? "") === "" &&
    asArray(spec["groups"]).length === 0
  ) {
    errors.push(invalidField("spec.user", "", "at least one of user or group must be specified"));
  }
  const { namespace, ...metadata } = draft.metadata;
  const isLocal = resource.scope === "Namespaced";
  const isEmpty = deepEqual(metadata, {}) && (isLocal || namespace === undefined);
  if (!isEmpty) {
    errors.push(
      invalidField("metadata", draft.metadata, isLocal ? "must be empty except for namespace" : "must be empty"),
    );
  }
  return isLocal ? [...errors, ...localErrors(spec, context.namespace)] : errors;
}

function localErrors(spec: Readonly<Record<string, unknown>>, namespace: string): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const requested = asRecord(resourceAttributes)["namespace"] ?? "";
  return [
    ...(resourceAttributes !== undefined && requested !== namespace
      ? [invalidField("spec.resourceAttributes.namespace", requested, "must match metadata.namespace")]
      : []),
    ...(nonResourceAttributes === undefined
      ? []
      : [invalidField("spec.nonResourceAttributes", nonResourceAttributes, "disallowed on this kind of request")]),
  ];
}

function accessRequest(spec: Readonly<Record<string, unknown>>, user: RequestUser): AccessRequest {
  const read = (from: unknown, name: string): string => {
    const value = asRecord(from)[name];
    return typeof value === "string" ? value : "";
  };
  const requested = spec["resourceAttributes"];
  if (!isJsonObject(requested)) {
    const other = spec["nonResourceAttributes"];
    return { kind: "path", user, verb: read(other, "verb"), path: read(other, "path") };
  }
  return {
    kind: "resource",
    user,
    verb: read(requested, "verb"),
    group: read(requested, "group"),
    version: read(requested, "version"),
    resource: read(requested, "resource"),
    subresource: read(requested, "subresource"),
    namespace: read(requested, "namespace"),
    name: read(requested, "name"),
  };
}

function subjectOf(draft: UnvalidatedObject): RequestUser {
  const { user, groups, uid } = asRecord(draft["spec"]);
  return {
    name: typeof user === "string" ? user : "",
    groups: asArray(groups).filter((group) => typeof group === "string"),
    ...(typeof uid === "string" ? { uid } : {}),
  };
}

function rulesAnswer(draft: UnvalidatedObject, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { namespace } = asRecord(draft["spec"]);
  if (typeof namespace !== "string" || namespace === "") throw badRequestError("no namespace on request");
  // The spec is not repeated (pkg/registry/authorization/selfsubjectrulesreview/rest.go, Kubernetes 1.36).
  const { apiVersion, kind } = draft;
  return { apiVersion, kind, metadata: {}, spec: {}, status: context.authorizer.rulesFor(context.user, namespace) };
}

function tokenAnswer(draft: UnvalidatedObject, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { token, audiences } = asRecord(draft["spec"]);
  if (typeof token !== "string" || token === "") {
    throw badRequestError("token is required for TokenReview in authentication");
  }
  const requested = asArray(audiences).filter((audience) => typeof audience === "string");
  const found = context.tokens.authenticate(token, requested.length === 0 ? [API_AUDIENCE] : requested);
  if (found === undefined) return { ...draft, status: { user: {}, error: "invalid bearer token" } };
  return { ...draft, status: { authenticated: true, user: userInfo(found.user), audiences: found.audiences } };
}

function userInfo(user: RequestUser): Readonly<Record<string, unknown>> {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
