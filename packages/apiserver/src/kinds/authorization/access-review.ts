import { deepEqual, invalidError } from "@levelset/core/internal";
import { isJsonObject, SelfSubjectAccessReview } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import type { Kind } from "@levelset/core";
import type { AccessRequest, RequestUser } from "../../auth/index.ts";
import { asArray, asRecord, invalidField } from "../../resource/index.ts";
import type { ReviewContext, UnvalidatedObject } from "../../resource/index.ts";

/** Answers whether the user may do what the review asks. */
export function reviewAccess(
  kind: Kind,
  draft: UnvalidatedObject,
  context: ReviewContext,
  user: RequestUser,
): Readonly<Record<string, unknown>> {
  const spec = asRecord(draft["spec"]);
  const errors = accessErrors(kind, draft, context);
  // The kind is empty in this error, as in pkg/registry/authorization (Kubernetes 1.36).
  if (errors.length > 0) throw invalidError({ kind: "", group: kind.group, name: "" }, errors);
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

function accessErrors(kind: Kind, draft: UnvalidatedObject, context: ReviewContext): readonly FieldError[] {
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
  if (kind !== SelfSubjectAccessReview && (spec["user"] ?? "") === "" && asArray(spec["groups"]).length === 0) {
    errors.push(invalidField("spec.user", "", "at least one of user or group must be specified"));
  }
  const { namespace, ...metadata } = draft.metadata;
  const isLocal = kind.scope === "Namespaced";
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

/** Returns the user or the groups in the spec of a review. */
export function subjectOf(draft: UnvalidatedObject): RequestUser {
  const { user, groups, uid } = asRecord(draft["spec"]);
  return {
    name: typeof user === "string" ? user : "",
    groups: asArray(groups).filter((group) => typeof group === "string"),
    ...(typeof uid === "string" ? { uid } : {}),
  };
}
