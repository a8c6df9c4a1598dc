import { deepEqual } from "@levelset/core";
import type {
  MatchResources,
  ObjectOf,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { duplicateField, forbiddenField, invalidField, requiredField, unsupportedField } from "../../field-errors.ts";
import { dns1035Problems, dnsSubdomainProblems, pathSegmentProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import { dnsSubdomainErrors, isEmptyString, qualifiedNameErrors, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { conditionsErrors as statusConditionsErrors } from "../condition.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { matchConditionsErrors, expressionErrors } from "./match-condition.ts";
import { ruleErrors, ruleWithDefaults } from "./rule.ts";

type Policy = ObjectOf<typeof ValidatingAdmissionPolicy>;
type Spec = Unvalidated<Policy["spec"]>;
type Validation = NonNullable<Spec["validations"]>[number];
type BindingSpec = Unvalidated<ObjectOf<typeof ValidatingAdmissionPolicyBinding>["spec"]>;
type ParamRef = NonNullable<BindingSpec["paramRef"]>;
type Match = Unvalidated<MatchResources>;

const FAILURE_POLICIES = ["Fail", "Ignore"];
const MATCH_POLICIES = ["Equivalent", "Exact"];
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const ACTIONS = ["Audit", "Deny", "Warn"];
const ANNOTATIONS_MAX = 20;

/** Strategy of ValidatingAdmissionPolicies: CEL rules and match constraints. */
export const validatingAdmissionPolicyStrategy: KindStrategy = {
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

/** Strategy of ValidatingAdmissionPolicyBindings: policy, scope and actions. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy = {
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

function hasSameConditions(spec: Spec, old: ApiObject | undefined): boolean {
  if (old === undefined) return false;
  const before = unvalidatedField<Spec>(old, "spec") ?? {};
  return deepEqual(spec.paramKind, before.paramKind) && deepEqual(spec.matchConditions, before.matchConditions);
}

function matchWithDefaults(match: Match): Match {
  const { resourceRules, excludeResourceRules } = match;
  return {
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: "Equivalent",
    ...match,
    ...(resourceRules === undefined ? {} : { resourceRules: resourceRules.map(ruleWithDefaults) }),
    ...(excludeResourceRules === undefined ? {} : { excludeResourceRules: excludeResourceRules.map(ruleWithDefaults) }),
  };
}

function* matchErrors(path: string, match: Match): FieldErrors {
  const { matchPolicy = "", namespaceSelector, objectSelector } = match;
  if (!MATCH_POLICIES.includes(matchPolicy)) yield unsupportedField(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES);
  yield* selectorErrors(`${path}.namespaceSelector`, namespaceSelector);
  yield* selectorErrors(`${path}.objectSelector`, objectSelector);
  for (const list of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[list] ?? []).entries()) {
      const at = `${path}.${list}[${index}]`;
      const names = rule.resourceNames ?? [];
      for (const [place, name] of names.entries()) {
        yield* stringErrors(`${at}.resourceNames[${place}]`, name, pathSegmentProblems);
        if (names.indexOf(name) < place) yield duplicateField(`${at}.resourceNames[${place}]`, name);
      }
      yield* ruleErrors(at, rule);
    }
  }
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
