import type {
  LabelSelectorObject,
  MutatingWebhookConfiguration,
  ObjectOf,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, integerColumn, NAME_COLUMN, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { UNSET_CELL } from "./cell-text.ts";

/** Mutating and validating webhook configurations. */
export const webhookPrinter: Printer = printer<
  typeof MutatingWebhookConfiguration | typeof ValidatingWebhookConfiguration
>([NAME_COLUMN, integerColumn("Webhooks", "Number of webhooks."), AGE_COLUMN], (configuration, now) => [
  configuration.metadata.name,
  configuration.webhooks?.length ?? 0,
  ageCell(configuration, now),
]);

export const admissionPolicyPrinter: Printer = printer<typeof ValidatingAdmissionPolicy>(
  [
    NAME_COLUMN,
    integerColumn("Validations", "Number of rules."),
    tableColumn("ParamKind", "Kind of the parameter objects."),
    AGE_COLUMN,
  ],
  (policy, now) => {
    const { validations, paramKind } = policy.spec ?? {};
    return [
      policy.metadata.name,
      validations?.length ?? 0,
      paramKind === undefined ? UNSET_CELL : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`,
      ageCell(policy, now),
    ];
  },
);

export const admissionPolicyBindingPrinter: Printer = printer<typeof ValidatingAdmissionPolicyBinding>(
  [
    NAME_COLUMN,
    tableColumn("PolicyName", "The bound policy."),
    tableColumn("ParamRef", "The parameter object."),
    AGE_COLUMN,
  ],
  (binding, now) => [
    binding.metadata.name,
    binding.spec?.policyName ?? "",
    parameterText(binding),
    ageCell(binding, now),
  ],
);

function parameterText({ spec }: ObjectOf<typeof ValidatingAdmissionPolicyBinding>): string {
  const { name = "", namespace = "", selector } = spec?.paramRef ?? {};
  if (name !== "") return `${namespace === "" ? "*" : namespace}/${name}`;
  return selector === undefined ? UNSET_CELL : goText(selector);
}

/** Formats a selector like Go's `%v`, which `pkg/printers/internalversion/printers.go` (Kubernetes 1.36) prints. */
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
