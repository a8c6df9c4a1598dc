import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, flag, given, optional, s, text, texts } from "./field.ts";

const GROUP = "authorization.k8s.io";

const requirement = s.object({
  key: given("The field or label."),
  operator: given("In, NotIn, Exists or DoesNotExist."),
  values: texts("What it is compared with."),
});

const selectorAttributesFields = {
  rawSelector: text("The selector as written in a query."),
  requirements: optional(s.array(requirement).atomic(), "The selector, taken apart."),
};

/** Which objects of a list are asked about. */
export interface SelectorAttributes extends ObjectIn<typeof selectorAttributesFields> {}

const selectorAttributes: ObjectSchema<SelectorAttributes, SelectorAttributes> = s.object(selectorAttributesFields);

const resourceAttributesFields = {
  namespace: text("The namespace; empty for all, or for what is in none."),
  verb: text("What is to be done: get, list, create, …; * for anything."),
  group: text("Group of the resource; * for any."),
  version: text("Version of the resource; * for any."),
  resource: text("The resource in the plural; * for any."),
  subresource: text("A part of the object, such as status."),
  name: text("One object; empty for all."),
  fieldSelector: optional(selectorAttributes, "Only objects with these fields."),
  labelSelector: optional(selectorAttributes, "Only objects with these labels."),
};

/** Something that might be done to objects. */
export interface ResourceAttributes extends ObjectIn<typeof resourceAttributesFields> {}

const nonResourceAttributesFields = { path: text("The path."), verb: text("The method, in lower case.") };

/** Something that might be asked of a path that is no resource. */
export interface NonResourceAttributes extends ObjectIn<typeof nonResourceAttributesFields> {}

const attributes = {
  resourceAttributes: optional<ResourceAttributes, ResourceAttributes>(
    s.object(resourceAttributesFields),
    "Asks about objects.",
  ),
  nonResourceAttributes: optional<NonResourceAttributes, NonResourceAttributes>(
    s.object(nonResourceAttributesFields),
    "Asks about another path.",
  ),
};

const accessFields = {
  allowed: s.boolean().describe("Whether it may be done."),
  denied: flag("Whether it was forbidden outright."),
  reason: text("Why."),
  evaluationError: text("What went wrong while finding out."),
};

/** The answer to a question of access. */
export interface AccessReviewStatus extends ObjectIn<typeof accessFields> {}

const access = optional<AccessReviewStatus, AccessReviewStatus>(s.object(accessFields), "The answer.");

const subjectSpec = s
  .object({
    ...attributes,
    user: text("The user."),
    groups: texts("The groups of the user."),
    uid: text("Identity of the user."),
    extra: optional(s.map(s.array(s.string()).atomic()), "What else is known about the user."),
  })
  .describe("Who wants to do what.");

/** Asks whether the asker may do something. */
export const SelfSubjectAccessReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "SelfSubjectAccessReview",
  description: "Asks whether the asker may do something.",
  scope: "Cluster",
  fields: { spec: s.object(attributes).describe("What is to be done."), status: access },
});

/** Asks whether somebody may do something. */
export const SubjectAccessReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "SubjectAccessReview",
  description: "Asks whether somebody may do something.",
  scope: "Cluster",
  fields: { spec: subjectSpec, status: access },
});

/** Asks whether somebody may do something in one namespace. */
export const LocalSubjectAccessReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "LocalSubjectAccessReview",
  description: "Asks whether somebody may do something in one namespace.",
  fields: { spec: subjectSpec, status: access },
});

/** Asks for everything that the asker may do in a namespace. */
export const SelfSubjectRulesReview = builtIn({
  group: GROUP,
  version: "v1",
  kind: "SelfSubjectRulesReview",
  description: "Asks for everything that the asker may do in a namespace.",
  scope: "Cluster",
  fields: {
    spec: s.object({ namespace: text("The namespace.") }).describe("Where."),
    status: optional(
      s.object({
        resourceRules: s
          .array(
            s.object({
              verbs: s.array(s.string()).atomic().describe("What may be done; * for all."),
              apiGroups: texts("Groups of the resources; * for all."),
              resources: texts("The resources; * for all."),
              resourceNames: texts("Only objects of these names."),
            }),
          )
          .atomic()
          .describe("What may be done to objects."),
        nonResourceRules: s
          .array(
            s.object({
              verbs: s.array(s.string()).atomic().describe("What may be done; * for all."),
              nonResourceURLs: texts("The paths; * for all."),
            }),
          )
          .atomic()
          .describe("What may be asked of other paths."),
        incomplete: s.boolean().describe("Whether there may be more."),
        evaluationError: text("What went wrong while finding out."),
      }),
      "The answer.",
    ),
  },
});
