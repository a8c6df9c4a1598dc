import { builtIn, s, optionalEnum, optional, optionalString } from "../field-builders.ts";
import { labelSelector } from "../meta.ts";
import { matchResources } from "./match-resources.ts";

/** Binds a policy to resources and parameters. */
export const ValidatingAdmissionPolicyBinding = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicyBinding",
  description: "Binds a policy to resources and parameters.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        policyName: optionalString("The policy."),
        matchResources: optional(matchResources, "Further restricts the requests that the policy matches."),
        paramRef: optional(
          s
            .object({
              name: optionalString("One object by name."),
              namespace: optionalString("Its namespace; defaults to the request's own."),
              selector: optional(labelSelector, "Objects by label."),
              parameterNotFoundAction: optionalEnum("Behaviour if no parameters are found.", "Allow", "Deny"),
            })
            .atomic(),
          "The objects that hold its parameters.",
        ),
        validationActions: optional(s.array(s.enum("Deny", "Warn", "Audit")).set(), "Actions if a rule fails."),
      })
      .describe("The policy, its parameters, its scope and its actions."),
  },
});
