import { builtIn, s, optional, optionalString, optionalStrings } from "../field-builders.ts";

/** Lists the permissions of the current user in a namespace. */
export const SelfSubjectRulesReview = builtIn({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectRulesReview",
  description: "Lists the permissions of the current user in a namespace.",
  scope: "Cluster",
  fields: {
    spec: s.object({ namespace: optionalString("The namespace.") }).describe("The namespace to evaluate."),
    status: optional(
      s.object({
        resourceRules: s
          .array(
            s.object({
              verbs: s.array(s.string()).atomic().describe("Allowed verbs; * for all."),
              apiGroups: optionalStrings("Groups of the resources; * for all."),
              resources: optionalStrings("The resources; * for all."),
              resourceNames: optionalStrings("Only objects of these names."),
            }),
          )
          .atomic()
          .describe("Allowed actions on resources."),
        nonResourceRules: s
          .array(
            s.object({
              verbs: s.array(s.string()).atomic().describe("Allowed verbs; * for all."),
              nonResourceURLs: optionalStrings("The paths; * for all."),
            }),
          )
          .atomic()
          .describe("Allowed actions on non-resource paths."),
        incomplete: s.boolean().describe("Whether the list may be incomplete."),
        evaluationError: optionalString("Error of the evaluation."),
      }),
      "The result.",
    ),
  },
});
