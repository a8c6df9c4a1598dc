import type { ObjectOf } from "@levelset/core";
import type { LabelSelectorObject } from "@levelset/core/schema";
import { ValidatingAdmissionPolicyBinding } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  pathSegmentProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { dnsSubdomainErrors, isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { matchWithDefaults, matchErrors } from "./match-resources.ts";

type BindingSpec = Unvalidated<ObjectOf<typeof ValidatingAdmissionPolicyBinding>["spec"]>;

type ParamRef = NonNullable<BindingSpec["paramRef"]>;

const ACTIONS = ["Audit", "Deny", "Warn"];

/** Strategy of ValidatingAdmissionPolicyBindings: policy, scope and actions. */
const validatingAdmissionPolicyBindingStrategy: KindStrategy = {
  defaults: (draft) => {
    const spec = unvalidatedField<BindingSpec>(draft, "spec") ?? {};
    const { matchResources } = spec;
    if (matchResources === undefined) return { ...draft, spec };
    return { ...draft, spec: { ...spec, matchResources: matchWithDefaults(matchResources) } };
  },
  *validate(object) {
    const {
      policyName,
      paramRef,
      matchResources,
      validationActions = [],
    } = unvalidatedField<BindingSpec>(object, "spec") ?? {};
    if (isEmptyString(policyName)) yield requiredField("spec.policyName");
    else yield* dnsSubdomainErrors("spec.policyName", policyName);
    if (paramRef !== undefined) yield* paramRefErrors("spec.paramRef", paramRef);
    if (matchResources !== undefined) yield* matchErrors("spec.matchResources", matchResources);
    yield* actionsErrors("spec.validationActions", validationActions);
  },
};

function* paramRefErrors(path: string, { name, selector, parameterNotFoundAction: action }: ParamRef): FieldErrors {
  const why = "name and selector are mutually exclusive";
  if (!isEmptyString(name)) {
    yield* stringErrors(`${path}.name`, name, pathSegmentProblems);
    if (selector !== undefined) yield forbiddenField(`${path}.name`, why);
  }
  if (selector !== undefined) {
    yield* selectorErrors(`${path}.selector`, selector);
    if (!isEmptyString(name)) yield forbiddenField(`${path}.selector`, why);
  }
  if (isEmptyString(name) && selector === undefined) {
    yield requiredField(path, "one of name or selector must be specified");
  }
  if (isEmptyString(action)) yield requiredField(`${path}.parameterNotFoundAction`);
  else if (action !== "Deny" && action !== "Allow") {
    yield unsupportedField(`${path}.parameterNotFoundAction`, action, ["Deny", "Allow"]);
  }
}

function* actionsErrors(path: string, actions: readonly string[]): FieldErrors {
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) yield unsupportedField(`${path}[${index}]`, action, ACTIONS);
    if (actions.indexOf(action) < index) yield duplicateField(`${path}[${index}]`, action);
  }
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers " +
      "serves no purpose)";
    yield invalidField(path, actions, why);
  }
  if (actions.length === 0) yield requiredField(path, "at least one validation action is required");
}

const admissionPolicyBindingPrinter: Printer = printer<typeof ValidatingAdmissionPolicyBinding>(
  [
    NAME_COLUMN,
    tableColumn("PolicyName", "The bound policy."),
    tableColumn("ParamRef", "The parameter object."),
    AGE_COLUMN,
  ],
  (binding) => [binding.spec?.policyName ?? "", parameterText(binding)],
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

/** ValidatingAdmissionPolicyBindings. */
export const validatingAdmissionPolicyBindingResource: Resource = builtinResource({
  kind: ValidatingAdmissionPolicyBinding,
  categories: ["api-extensions"],
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: validatingAdmissionPolicyBindingStrategy,
  printer: admissionPolicyBindingPrinter,
});
