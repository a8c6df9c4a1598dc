import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  requiredString,
  int32,
  optional,
  withPatchStrategy,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { labelSelector } from "../meta.ts";

const matchConditionFields = { name: requiredString("Its name."), expression: requiredString("The condition.") };

/** A CEL condition for calling a webhook or policy. */
export interface MatchCondition extends ObjectIn<typeof matchConditionFields> {}

/** The schema of `MatchCondition`. */
export const matchCondition: ObjectSchema<MatchCondition, MatchCondition> = s.object(matchConditionFields);

const operations = s.array(s.enum("*", "CREATE", "UPDATE", "DELETE", "CONNECT")).atomic();

/** Fields of a rule that selects requests. */
export const ruleFields = {
  operations: optional(operations, "Operations; * for all."),
  apiGroups: optionalStrings("Groups of the resources; * for all."),
  apiVersions: optionalStrings("Versions of the resources; * for all."),
  resources: optionalStrings("The resources, such as pods or pods/*; * for all."),
  scope: optionalEnum("Scope of the resources; defaults to *.", "Cluster", "Namespaced", "*"),
};

export const webhookFields = {
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
