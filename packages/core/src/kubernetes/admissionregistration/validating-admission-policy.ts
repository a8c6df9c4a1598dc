import {
  builtIn,
  s,
  optionalEnum,
  requiredString,
  int64,
  optional,
  withPatchStrategy,
  optionalString,
} from "../field-builders.ts";
import { standardConditions } from "../meta.ts";
import { matchCondition } from "./webhook.ts";
import { matchResources } from "./match-resources.ts";

/** CEL rules for requests; enforced by a ValidatingAdmissionPolicyBinding. */
export const ValidatingAdmissionPolicy = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  description: "CEL rules for requests; enforced by a binding.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        matchConstraints: optional(matchResources, "The requests it is about."),
        matchConditions: withPatchStrategy(
          "merge",
          optional(s.array(matchCondition).keyedBy("name"), "CEL conditions for calling it."),
          "name",
        ),
        validations: optional(
          s
            .array(
              s.object({
                expression: requiredString("The rule, in CEL; true lets the request through."),
                message: optionalString("Message if the rule fails."),
                messageExpression: optionalString("Message expression in CEL."),
                reason: optionalString("Machine-readable reason; determines the status code."),
              }),
            )
            .atomic(),
          "The rules.",
        ),
        variables: withPatchStrategy(
          "merge",
          optional(
            s
              .array(
                s
                  .object({
                    name: requiredString("Its name; rules call it variables.<name>."),
                    expression: requiredString("Its value, in CEL."),
                  })
                  .atomic(),
              )
              .keyedBy("name"),
            "Values that rules share.",
          ),
          "name",
        ),
        auditAnnotations: optional(
          s
            .array(
              s.object({
                key: requiredString("Its key."),
                valueExpression: requiredString("Its value, in CEL; null for none."),
              }),
            )
            .atomic(),
          "Notes for the audit log.",
        ),
        paramKind: optional(
          s.object({ apiVersion: optionalString("Group and version."), kind: optionalString("The kind.") }).atomic(),
          "Kind of the objects that hold its parameters.",
        ),
        failurePolicy: optionalEnum("Behaviour if a rule cannot be evaluated; defaults to Fail.", "Ignore", "Fail"),
      })
      .describe("The rules."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        typeChecking: optional(
          s.object({
            expressionWarnings: optional(
              s
                .array(
                  s.object({
                    fieldRef: requiredString("Field path of the expression."),
                    warning: requiredString("Warning about the expression."),
                  }),
                )
                .atomic(),
              "Warnings of the type check.",
            ),
          }),
          "Results of type checking the expressions.",
        ),
        conditions: optional(standardConditions, "Conditions."),
      }),
      "Status set by the server.",
    ),
  },
});
