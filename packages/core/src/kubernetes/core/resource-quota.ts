import { builtIn, s, requiredString, optional, resourceList, optionalStrings } from "../field-builders.ts";

/** Limits of the total resource usage of a namespace. */
export const ResourceQuota = builtIn({
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  description: "Limits of the total resource usage of a namespace.",
  shortNames: ["quota"],
  fields: {
    spec: optional(
      s.object({
        hard: resourceList("Maximum usage per resource."),
        scopes: optionalStrings("The objects that count, such as BestEffort."),
        scopeSelector: optional(
          s
            .object({
              matchExpressions: optional(
                s
                  .array(
                    s.object({
                      scopeName: requiredString("The scope."),
                      operator: s
                        .enum("In", "NotIn", "Exists", "DoesNotExist")
                        .describe("Operator between the key and the values."),
                      values: optionalStrings("Value to compare with."),
                    }),
                  )
                  .atomic(),
                "Requirements; all of them must match.",
              ),
            })
            .atomic(),
          "The objects that count, with values.",
        ),
      }),
      "The bounds.",
    ),
    status: optional(
      s.object({ hard: resourceList("The bounds in force."), used: resourceList("Current usage.") }),
      "Current usage.",
    ),
  },
});
