import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { s, optionalBoolean, requiredString, optional, optionalString, optionalStrings } from "../field-builders.ts";

const requirement = s.object({
  key: requiredString("The field or label."),
  operator: requiredString("In, NotIn, Exists or DoesNotExist."),
  values: optionalStrings("The value that it is compared with."),
});

const selectorAttributesFields = {
  rawSelector: optionalString("The selector as written in a query."),
  requirements: optional(s.array(requirement).atomic(), "Parsed requirements of the selector."),
};

/** Label or field requirements of a list request. */
export interface SelectorAttributes extends ObjectIn<typeof selectorAttributesFields> {}

const selectorAttributes: ObjectSchema<SelectorAttributes, SelectorAttributes> = s.object(selectorAttributesFields);

const resourceAttributesFields = {
  namespace: optionalString("The namespace; empty for all namespaces, or for cluster-scoped resources."),
  verb: optionalString("Verb: get, list, create, …; * for all."),
  group: optionalString("Group of the resource; * for any."),
  version: optionalString("Version of the resource; * for any."),
  resource: optionalString("The resource in the plural; * for any."),
  subresource: optionalString("A part of the object, such as status."),
  name: optionalString("One object; empty for all."),
  fieldSelector: optional(selectorAttributes, "Only objects with these fields."),
  labelSelector: optional(selectorAttributes, "Only objects with these labels."),
};

/** A request for a resource. */
export interface ResourceAttributes extends ObjectIn<typeof resourceAttributesFields> {}

const nonResourceAttributesFields = {
  path: optionalString("The path."),
  verb: optionalString("The method, in lower case."),
};

/** A request for a path that is not a resource. */
export interface NonResourceAttributes extends ObjectIn<typeof nonResourceAttributesFields> {}

export const attributes = {
  resourceAttributes: optional<ResourceAttributes, ResourceAttributes>(
    s.object(resourceAttributesFields),
    "Attributes of a resource request.",
  ),
  nonResourceAttributes: optional<NonResourceAttributes, NonResourceAttributes>(
    s.object(nonResourceAttributesFields),
    "Attributes of a non-resource request.",
  ),
};

const accessFields = {
  allowed: s.boolean().describe("Whether the action is allowed."),
  denied: optionalBoolean("Whether the action was explicitly denied."),
  reason: optionalString("Why."),
  evaluationError: optionalString("Error of the evaluation."),
};

/** The result of an access review. */
export interface SubjectAccessReviewStatus extends ObjectIn<typeof accessFields> {}

export const access = optional<SubjectAccessReviewStatus, SubjectAccessReviewStatus>(
  s.object(accessFields),
  "The result.",
);

export const subjectSpec = s
  .object({
    ...attributes,
    user: optionalString("The user."),
    groups: optionalStrings("The groups of the user."),
    uid: optionalString("Identity of the user."),
    extra: optional(s.map(s.array(s.string()).atomic()), "Extra attributes of the user."),
  })
  .describe("The user and the action to check.");
