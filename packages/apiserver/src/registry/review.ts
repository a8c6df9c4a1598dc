import { deepEqual, invalidError, isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { AccessRequest, Authorizer } from "./authorizer.ts";
import type { Draft } from "./draft.ts";
import { badRequest } from "./failure.ts";
import { invalidField } from "./field.ts";
import type { Resource } from "./resource.ts";
import { API_AUDIENCE } from "./service-account-token.ts";
import type { TokenAuthenticator } from "./service-account-token.ts";
import { listOf, recordOf } from "./shape.ts";
import type { RequestUser } from "./user.ts";

/** What answers to questions depend on. */
export interface ReviewContext {
  /** Of the path; empty for questions about the cluster. */
  readonly namespace: string;
  readonly user: RequestUser;
  readonly authorizer: Authorizer;
  readonly tokens: TokenAuthenticator;
}

type Answerer = (draft: Draft, context: ReviewContext, resource: Resource) => Readonly<Record<string, unknown>>;

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  SelfSubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, context.user),
  SubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, subjectOf(draft)),
  LocalSubjectAccessReview: (draft, context, resource) => accessAnswer(draft, context, resource, subjectOf(draft)),
  SelfSubjectRulesReview: rulesAnswer,
  TokenReview: tokenAnswer,
  SelfSubjectReview: (draft, { user }) => ({ ...draft, status: { userInfo: userInfo(user) } }),
};

/** Whether objects of a resource are questions, answered at once and never stored. */
export function isQuestion(resource: Resource): boolean {
  return Object.hasOwn(ANSWERERS, resource.kind) && !resource.custom;
}

/** A question with its answer in `status`. Throws Invalid and BadRequest. */
export function answerTo(resource: Resource, draft: Draft, context: ReviewContext): Readonly<Record<string, unknown>> {
  const answerer = ANSWERERS[resource.kind];
  if (answerer === undefined) throw new TypeError(`${resource.kind} is not a question`);
  return answerer(draft, context, resource);
}

function accessAnswer(
  draft: Draft,
  context: ReviewContext,
  resource: Resource,
  user: RequestUser,
): Readonly<Record<string, unknown>> {
  const spec = recordOf(draft["spec"]);
  const errors = accessErrors(draft, resource, context);
  // The real server does not say which kind of question it was.
  if (errors.length > 0) throw invalidError({ kind: "", group: resource.group, name: "" }, errors);
  const decision = context.authorizer.decide(accessRequest(spec, user));
  return {
    ...draft,
    status: {
      allowed: decision.kind === "allowed",
      ...(decision.kind === "denied" ? { denied: true } : {}),
      ...(decision.reason === "" ? {} : { reason: decision.reason }),
    },
  };
}

function accessErrors(draft: Draft, resource: Resource, context: ReviewContext): readonly FieldError[] {
  const spec = recordOf(draft["spec"]);
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
    listOf(spec["groups"]).length === 0
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
  const asked = recordOf(resourceAttributes)["namespace"] ?? "";
  return [
    ...(resourceAttributes !== undefined && asked !== namespace
      ? [invalidField("spec.resourceAttributes.namespace", asked, "must match metadata.namespace")]
      : []),
    ...(nonResourceAttributes === undefined
      ? []
      : [invalidField("spec.nonResourceAttributes", nonResourceAttributes, "disallowed on this kind of request")]),
  ];
}

function accessRequest(spec: Readonly<Record<string, unknown>>, user: RequestUser): AccessRequest {
  const read = (from: unknown, name: string): string => {
    const value = recordOf(from)[name];
    return typeof value === "string" ? value : "";
  };
  const asked = spec["resourceAttributes"];
  if (!isJsonObject(asked)) {
    const other = spec["nonResourceAttributes"];
    return { kind: "path", user, verb: read(other, "verb"), path: read(other, "path") };
  }
  return {
    kind: "resource",
    user,
    verb: read(asked, "verb"),
    group: read(asked, "group"),
    version: read(asked, "version"),
    resource: read(asked, "resource"),
    subresource: read(asked, "subresource"),
    namespace: read(asked, "namespace"),
    name: read(asked, "name"),
  };
}

function subjectOf(draft: Draft): RequestUser {
  const { user, groups, uid } = recordOf(draft["spec"]);
  return {
    name: typeof user === "string" ? user : "",
    groups: listOf(groups).filter((group) => typeof group === "string"),
    ...(typeof uid === "string" ? { uid } : {}),
  };
}

function rulesAnswer(draft: Draft, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { namespace } = recordOf(draft["spec"]);
  if (typeof namespace !== "string" || namespace === "") throw badRequest("no namespace on request");
  // As with the real server the question is not repeated.
  const { apiVersion, kind } = draft;
  return { apiVersion, kind, metadata: {}, spec: {}, status: context.authorizer.rulesFor(context.user, namespace) };
}

function tokenAnswer(draft: Draft, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { token, audiences } = recordOf(draft["spec"]);
  if (typeof token !== "string" || token === "") {
    throw badRequest("token is required for TokenReview in authentication");
  }
  const asked = listOf(audiences).filter((audience) => typeof audience === "string");
  const found = context.tokens.authenticate(token, asked.length === 0 ? [API_AUDIENCE] : asked);
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
