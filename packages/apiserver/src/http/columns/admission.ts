import type {
  LabelSelectorObject,
  MutatingWebhookConfiguration,
  ObjectOf,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@levelset/core";
import { AGE, ageOf, column, counter, NAME, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { UNSET } from "./text.ts";

/** Configurations of mutating and validating webhooks. */
export const webhookPrinter: Printer = printer<
  typeof MutatingWebhookConfiguration | typeof ValidatingWebhookConfiguration
>([NAME, counter("Webhooks", "How many webhooks it has."), AGE], (configuration, now) => [
  configuration.metadata.name,
  configuration.webhooks?.length ?? 0,
  ageOf(configuration, now),
]);

export const admissionPolicyPrinter: Printer = printer<typeof ValidatingAdmissionPolicy>(
  [
    NAME,
    counter("Validations", "How many rules it has."),
    column("ParamKind", "The kind of object that gives its parameters."),
    AGE,
  ],
  (policy, now) => {
    const { validations, paramKind } = policy.spec ?? {};
    return [
      policy.metadata.name,
      validations?.length ?? 0,
      paramKind === undefined ? UNSET : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`,
      ageOf(policy, now),
    ];
  },
);

export const admissionPolicyBindingPrinter: Printer = printer<typeof ValidatingAdmissionPolicyBinding>(
  [
    NAME,
    column("PolicyName", "The policy that it puts into force."),
    column("ParamRef", "The object that gives the parameters."),
    AGE,
  ],
  (binding, now) => [
    binding.metadata.name,
    binding.spec?.policyName ?? "",
    parameterText(binding),
    ageOf(binding, now),
  ],
);

function parameterText({ spec }: ObjectOf<typeof ValidatingAdmissionPolicyBinding>): string {
  const { name = "", namespace = "", selector } = spec?.paramRef ?? {};
  if (name !== "") return `${namespace === "" ? "*" : namespace}/${name}`;
  return selector === undefined ? UNSET : goText(selector);
}

/** A selector as Go prints it: the real server shows it so. */
function goText({ matchLabels, matchExpressions }: LabelSelectorObject): string {
  const labels = Object.entries(matchLabels ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(" ")}],},`,
  );
  return (
    `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`
  );
}
