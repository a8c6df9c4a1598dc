import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, choice, given, int32, int64, optional, patched, s, text, texts } from "./field.ts";
import { labelSelector, standardConditions } from "./meta.ts";

const matchConditionFields = { name: given("Its name."), expression: given("The condition.") };

/** A condition in CEL for being asked at all. */
export interface MatchCondition extends ObjectIn<typeof matchConditionFields> {}

/** The schema of `MatchCondition`. */
const matchCondition: ObjectSchema<MatchCondition, MatchCondition> = s.object(matchConditionFields);

const operations = s.array(s.enum("*", "CREATE", "UPDATE", "DELETE", "CONNECT")).atomic();

/** The fields of a rule that says which requests count. */
const ruleFields = {
  operations: optional(operations, "What is being done; * for all."),
  apiGroups: texts("Groups of the resources; * for all."),
  apiVersions: texts("Versions of the resources; * for all."),
  resources: texts("The resources, such as pods or pods/*; * for all."),
  scope: choice("Where the resources live; * unless given.", "Cluster", "Namespaced", "*"),
};

const webhookFields = {
  name: given("Its name, with a domain."),
  clientConfig: s
    .object({
      url: text("Its address, if it is not a service."),
      service: optional(
        s.object({
          namespace: given("Namespace of the service."),
          name: given("Name of the service."),
          path: text("Path of the request."),
          port: int32("Port of the service; 443 unless given."),
        }),
        "The service that runs it.",
      ),
      caBundle: optional(s.string().format("byte"), "Certificates to trust, PEM in base64."),
    })
    .describe("How to reach it."),
  admissionReviewVersions: s
    .array(s.string())
    .atomic()
    .describe("Versions of AdmissionReview that it understands, best first."),
  sideEffects: s.enum("None", "NoneOnDryRun").describe("Whether it changes anything elsewhere."),
  rules: optional(s.array(s.object(ruleFields)).atomic(), "What it is asked about."),
  matchPolicy: choice(
    "Whether other versions of a resource count too; Equivalent unless given.",
    "Exact",
    "Equivalent",
  ),
  matchConditions: patched(
    "merge",
    optional(s.array(matchCondition).keyedBy("name"), "Further conditions for being asked."),
    "name",
  ),
  namespaceSelector: optional(labelSelector, "Namespaces it is asked about."),
  objectSelector: optional(labelSelector, "Objects it is asked about."),
  failurePolicy: choice("What happens when it does not answer; Fail unless given.", "Ignore", "Fail"),
  timeoutSeconds: int32("Seconds to answer in; 10 unless given."),
};

const mutatingWebhook = s.object({
  ...webhookFields,
  reinvocationPolicy: s
    .enum("Never", "IfNeeded")
    .describe("Whether it is asked again when others changed the object after it; Never unless given.")
    .optional(),
});

/** Programs that may refuse requests. */
export const ValidatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  description: "Programs that may refuse requests.",
  scope: "Cluster",
  fields: {
    webhooks: patched("merge", optional(s.array(s.object(webhookFields)).keyedBy("name"), "The programs."), "name"),
  },
});

/** Programs that may change requests. */
export const MutatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  description: "Programs that may change requests.",
  scope: "Cluster",
  fields: { webhooks: patched("merge", optional(s.array(mutatingWebhook).keyedBy("name"), "The programs."), "name") },
});

const namedRules = s
  .array(s.object({ ...ruleFields, resourceNames: texts("Only objects of these names.") }).atomic())
  .atomic();

const matchResourcesFields = {
  resourceRules: optional(namedRules, "What counts."),
  excludeResourceRules: optional(namedRules, "What does not count after all."),
  namespaceSelector: optional(labelSelector, "Namespaces that count."),
  objectSelector: optional(labelSelector, "Objects that count."),
  matchPolicy: choice(
    "Whether other versions of a resource count too; Equivalent unless given.",
    "Exact",
    "Equivalent",
  ),
};

/** The requests that a policy is about. */
export interface MatchResources extends ObjectIn<typeof matchResourcesFields> {}

/** The schema of `MatchResources`. */
export const matchResources: ObjectSchema<MatchResources, MatchResources> = s.object(matchResourcesFields).atomic();

/** Rules in CEL that requests must meet, once bound. */
export const ValidatingAdmissionPolicy = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  description: "Rules in CEL that requests must meet, once bound.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        matchConstraints: optional(matchResources, "The requests it is about."),
        matchConditions: patched(
          "merge",
          optional(s.array(matchCondition).keyedBy("name"), "Further conditions for being asked."),
          "name",
        ),
        validations: optional(
          s
            .array(
              s.object({
                expression: given("The rule, in CEL; true lets the request through."),
                message: text("What to say when it does not hold."),
                messageExpression: text("The same, in CEL."),
                reason: text("Why, in one word; decides the status code."),
              }),
            )
            .atomic(),
          "The rules.",
        ),
        variables: patched(
          "merge",
          optional(
            s
              .array(
                s
                  .object({
                    name: given("Its name; rules call it variables.<name>."),
                    expression: given("Its value, in CEL."),
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
            .array(s.object({ key: given("Its key."), valueExpression: given("Its value, in CEL; null for none.") }))
            .atomic(),
          "Notes for the audit log.",
        ),
        paramKind: optional(
          s.object({ apiVersion: text("Group and version."), kind: text("The kind.") }).atomic(),
          "Kind of the objects that hold its parameters.",
        ),
        failurePolicy: choice("What happens when a rule cannot be evaluated; Fail unless given.", "Ignore", "Fail"),
      })
      .describe("The rules."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        typeChecking: optional(
          s.object({
            expressionWarnings: optional(
              s
                .array(
                  s.object({
                    fieldRef: given("The expression's place in the policy."),
                    warning: given("What is wrong with it."),
                  }),
                )
                .atomic(),
              "Expressions that do not fit the types.",
            ),
          }),
          "What checking its expressions found.",
        ),
        conditions: optional(standardConditions, "How far it is."),
      }),
      "What the server makes of it.",
    ),
  },
});

/** Puts a policy in force. */
export const ValidatingAdmissionPolicyBinding = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicyBinding",
  description: "Puts a policy in force.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        policyName: text("The policy."),
        matchResources: optional(matchResources, "The requests it applies to, out of those that the policy is about."),
        paramRef: optional(
          s
            .object({
              name: text("One object by name."),
              namespace: text("Its namespace; the request's own unless given."),
              selector: optional(labelSelector, "Objects by label."),
              parameterNotFoundAction: choice("What happens when there is none.", "Allow", "Deny"),
            })
            .atomic(),
          "The objects that hold its parameters.",
        ),
        validationActions: optional(
          s.array(s.enum("Deny", "Warn", "Audit")).set(),
          "What happens when a rule does not hold.",
        ),
      })
      .describe("Which one, where, and how strictly."),
  },
});
