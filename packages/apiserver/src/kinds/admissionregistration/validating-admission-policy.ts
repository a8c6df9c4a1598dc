import { deepEqual } from "@levelset/core/internal";
import { ValidatingAdmissionPolicy } from "@levelset/core";
import { FieldSet } from "@levelset/core/apply";
import type { ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  duplicateField,
  invalidField,
  requiredField,
  unsupportedField,
  dns1035Problems,
  dnsSubdomainProblems,
  AGE_COLUMN,
  tableColumn,
  integerColumn,
  NAME_COLUMN,
  printer,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { isEmptyString, qualifiedNameErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { conditionsErrors as statusConditionsErrors } from "../condition.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { matchConditionsErrors, expressionErrors } from "./match-condition.ts";
import { matchWithDefaults, matchErrors } from "./match-resources.ts";

type Policy = ObjectOf<typeof ValidatingAdmissionPolicy>;

type Spec = Unvalidated<Policy["spec"]>;

type Validation = NonNullable<Spec["validations"]>[number];

const FAILURE_POLICIES = ["Fail", "Ignore"];

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

const ANNOTATIONS_MAX = 20;

/** Strategy of ValidatingAdmissionPolicies: CEL rules and match constraints. */
const validatingAdmissionPolicyStrategy: KindStrategy = {
  initialStatus: {},
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const { failurePolicy = "Fail", matchConstraints } = spec;
    const match = matchConstraints === undefined ? {} : { matchConstraints: matchWithDefaults(matchConstraints) };
    return { ...draft, spec: { ...spec, ...match, failurePolicy } };
  },
  *validate(object, old) {
    const spec = unvalidatedField<Spec>(object, "spec") ?? {};
    const { failurePolicy = "", paramKind, matchConstraints, matchConditions = [] } = spec;
    if (!FAILURE_POLICIES.includes(failurePolicy)) {
      yield unsupportedField("spec.failurePolicy", failurePolicy, FAILURE_POLICIES);
    }
    if (paramKind !== undefined) yield* paramKindErrors("spec.paramKind", paramKind);
    if (matchConstraints === undefined) yield requiredField("spec.matchConstraints");
    else {
      yield* matchErrors("spec.matchConstraints", matchConstraints);
      if ((matchConstraints.resourceRules ?? []).length === 0) {
        yield requiredField("spec.matchConstraints.resourceRules");
      }
    }
    if (!hasSameConditions(spec, old)) {
      yield* matchConditionsErrors("spec.matchConditions", matchConditions, paramKind !== undefined);
    }
    yield* rulesErrors(object, spec);
  },
  *validateStatusUpdate(object) {
    const { conditions } = unvalidatedField<NonNullable<Policy["status"]>>(object, "status") ?? {};
    yield* statusConditionsErrors("status.conditions", conditions ?? []);
  },
};

function hasSameConditions(spec: Spec, old: ApiObject | undefined): boolean {
  if (old === undefined) return false;
  const before = unvalidatedField<Spec>(old, "spec") ?? {};
  return deepEqual(spec.paramKind, before.paramKind) && deepEqual(spec.matchConditions, before.matchConditions);
}

function* paramKindErrors(path: string, { apiVersion, kind }: NonNullable<Spec["paramKind"]>): FieldErrors {
  const at = `${path}.apiVersion`;
  if (isEmptyString(apiVersion)) yield requiredField(at);
  else {
    const [first = "", second, ...more] = apiVersion.split("/");
    const [group, version] = second === undefined ? ["", first] : [first, second];
    const groupProblems = group === "" ? [] : dnsSubdomainProblems(group);
    const versionProblems = dns1035Problems(version);
    if (more.length > 0) yield invalidField(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    else {
      if (groupProblems.length > 0) yield invalidField(at, group, groupProblems.join(","));
      if (version === "") yield invalidField(at, apiVersion, "version must be specified");
      else if (versionProblems.length > 0) yield invalidField(at, version, versionProblems.join(","));
    }
  }
  const problems = dns1035Problems((kind ?? "").toLowerCase());
  if (isEmptyString(kind)) yield requiredField(`${path}.kind`);
  else if (problems.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    yield invalidField(`${path}.kind`, kind, why);
  }
}

function* rulesErrors(object: ApiObject, spec: Spec): FieldErrors {
  const { variables = [], validations = [], auditAnnotations = [] } = spec;
  const hasParams = spec.paramKind !== undefined;
  for (const [index, { name = "", expression = "" }] of variables.entries()) {
    const path = `spec.variables[${index}]`;
    if (name.trim() === "") yield requiredField(`${path}.name`, "name is not specified");
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/u.test(name)) {
      yield invalidField(`${path}.name`, name, "must be a valid CEL identifier");
    }
    if (expression.trim() === "") yield requiredField(`${path}.expression`, "expression is not specified");
    else yield* expressionErrors(`${path}.expression`, expression, "any", hasParams);
  }
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = "validations or auditAnnotations must contain at least one item";
    yield requiredField("spec.validations", why);
    yield requiredField("spec.auditAnnotations", why);
    return;
  }
  for (const [index, each] of validations.entries()) {
    yield* validationErrors(`spec.validations[${index}]`, each, hasParams);
  }
  if (auditAnnotations.length > ANNOTATIONS_MAX) {
    const why = `must not have more than ${ANNOTATIONS_MAX} auditAnnotations`;
    yield invalidField("spec.auditAnnotations", auditAnnotations, why);
  }
  for (const [index, { key = "", valueExpression = "" }] of auditAnnotations.entries()) {
    const path = `spec.auditAnnotations[${index}]`;
    yield* qualifiedNameErrors(`${path}.key`, `${object.metadata.name}/${key}`);
    if (valueExpression.trim() === "") {
      yield requiredField(`${path}.valueExpression`, "valueExpression is not specified");
    } else yield* expressionErrors(`${path}.valueExpression`, valueExpression, "any", hasParams);
    if (auditAnnotations.findIndex((other) => other.key === key) < index) yield duplicateField(`${path}.key`, key);
  }
}

function* validationErrors(path: string, validation: Validation, hasParams: boolean): FieldErrors {
  const { expression = "", message = "", messageExpression = "", reason } = validation;
  if (expression.trim() === "") yield requiredField(`${path}.expression`, "expression is not specified");
  else yield* expressionErrors(`${path}.expression`, expression, "bool", hasParams);
  if (messageExpression !== "" && messageExpression.trim() === "") {
    yield invalidField(`${path}.messageExpression`, messageExpression, "must be non-empty if specified");
  } else if (messageExpression !== "") {
    yield* expressionErrors(`${path}.messageExpression`, messageExpression, "string", hasParams);
  }
  if (message !== "" && message.trim() === "") {
    yield invalidField(`${path}.message`, message, "must be non-empty if specified");
  } else if (/[\n\r]/u.test(message.trim())) {
    yield invalidField(`${path}.message`, message, "must not contain line breaks");
  }
  if (reason !== undefined && !REASONS.includes(reason)) yield unsupportedField(`${path}.reason`, reason, REASONS);
}

const admissionPolicyPrinter: Printer = printer<typeof ValidatingAdmissionPolicy>(
  [
    NAME_COLUMN,
    integerColumn("Validations", "Number of rules."),
    tableColumn("ParamKind", "Kind of the parameter objects."),
    AGE_COLUMN,
  ],
  (policy) => {
    const { validations, paramKind } = policy.spec ?? {};
    return [
      validations?.length ?? 0,
      paramKind === undefined ? UNSET_CELL : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`,
    ];
  },
);

/** ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyResource: Resource = builtinResource({
  kind: ValidatingAdmissionPolicy,
  categories: ["api-extensions"],
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: validatingAdmissionPolicyStrategy,
  printer: admissionPolicyPrinter,
  statusResetFields: FieldSet.of(["f:spec"], ["f:metadata"]),
});
