import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  optionalEnum,
  requiredString,
  int32,
  int64,
  optional,
  withPatchStrategy,
  s,
  optionalString,
  optionalStrings,
} from "./field-builders.ts";
import { labelSelector, standardConditions } from "./meta.ts";

const matchConditionFields = { name: requiredString("Its name."), expression: requiredString("The condition.") };

/** A CEL condition for calling a webhook or policy. */
export interface MatchCondition extends ObjectIn<typeof matchConditionFields> {}

/** The schema of `MatchCondition`. */
const matchCondition: ObjectSchema<MatchCondition, MatchCondition> = s.object(matchConditionFields);

const operations = s.array(s.enum("*", "CREATE", "UPDATE", "DELETE", "CONNECT")).atomic();

/** Fields of a rule that selects requests. */
const ruleFields = {
  operations: optional(operations, "Operations; * for all."),
  apiGroups: optionalStrings("Groups of the resources; * for all."),
  apiVersions: optionalStrings("Versions of the resources; * for all."),
  resources: optionalStrings("The resources, such as pods or pods/*; * for all."),
  scope: optionalEnum("Scope of the resources; defaults to *.", "Cluster", "Namespaced", "*"),
};

const webhookFields = {
  name: requiredString("Its name, with a domain."),
  clientConfig: s
    .object({
      url: optionalString("Its address, if it is not a service."),
      service: optional(
        s.object({
          namespace: requiredString("Namespace of the service."),
          name: requiredString("Name of the service."),
          path: optionalString("Path of the request."),
          port: int32("Port of the service; defaults to 443."),
        }),
        "The service of the webhook.",
      ),
      caBundle: optional(s.string().format("byte"), "Certificates to trust, PEM in base64."),
    })
    .describe("Address and CA of the webhook."),
  admissionReviewVersions: s
    .array(s.string())
    .atomic()
    .describe("Versions of AdmissionReview that it understands, best first."),
  sideEffects: s.enum("None", "NoneOnDryRun").describe("Whether a call has side effects."),
  rules: optional(s.array(s.object(ruleFields)).atomic(), "Requests for which the webhook is called."),
  matchPolicy: optionalEnum(
    "Whether equivalent requests for other versions of a resource match too; defaults to Equivalent.",
    "Exact",
    "Equivalent",
  ),
  matchConditions: withPatchStrategy(
    "merge",
    optional(s.array(matchCondition).keyedBy("name"), "CEL conditions for calling it."),
    "name",
  ),
  namespaceSelector: optional(labelSelector, "Selects namespaces for which the webhook is called."),
  objectSelector: optional(labelSelector, "Selects objects for which the webhook is called."),
  failurePolicy: optionalEnum("Failure policy if it does not respond; defaults to Fail.", "Ignore", "Fail"),
  timeoutSeconds: int32("Timeout in seconds; defaults to 10."),
};

const mutatingWebhook = s.object({
  ...webhookFields,
  reinvocationPolicy: s
    .enum("Never", "IfNeeded")
    .describe("Whether it is called again if later webhooks change the object; defaults to Never.")
    .optional(),
});

/** Webhooks that may reject requests. */
export const ValidatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  description: "Webhooks that may reject requests.",
  scope: "Cluster",
  fields: {
    webhooks: withPatchStrategy(
      "merge",
      optional(s.array(s.object(webhookFields)).keyedBy("name"), "The webhooks."),
      "name",
    ),
  },
});

/** Webhooks that may change requests. */
export const MutatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  description: "Webhooks that may change requests.",
  scope: "Cluster",
  fields: {
    webhooks: withPatchStrategy("merge", optional(s.array(mutatingWebhook).keyedBy("name"), "The webhooks."), "name"),
  },
});

const namedRules = s
  .array(s.object({ ...ruleFields, resourceNames: optionalStrings("Only objects of these names.") }).atomic())
  .atomic();

const matchResourcesFields = {
  resourceRules: optional(namedRules, "Included resources."),
  excludeResourceRules: optional(namedRules, "Excluded resources."),
  namespaceSelector: optional(labelSelector, "Included namespaces."),
  objectSelector: optional(labelSelector, "Included objects."),
  matchPolicy: optionalEnum(
    "Whether equivalent requests for other versions of a resource match too; defaults to Equivalent.",
    "Exact",
    "Equivalent",
  ),
};

/** Selects the requests that a policy applies to. */
export interface MatchResources extends ObjectIn<typeof matchResourcesFields> {}

/** The schema of `MatchResources`. */
export const matchResources: ObjectSchema<MatchResources, MatchResources> = s.object(matchResourcesFields).atomic();

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
