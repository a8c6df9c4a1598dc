import type {
  Affinity,
  NodeSelector,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "../../../resource/index.ts";
import { isEmptyString, optionalEnumErrors, positiveErrors, stringErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { selectorErrors } from "../selector.ts";
import type { UnvalidatedSelector } from "../selector.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** Validation of affinity and topology spread constraints. */

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod. */
export function* affinityErrors(path: string, affinity: Unvalidated<Affinity>): FieldErrors {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const required = nodeAffinity?.[REQUIRED];
  if (required !== undefined) yield* nodeSelectorErrors(`${path}.nodeAffinity.${REQUIRED}`, required);
  for (const [index, { weight = 0, preference = {} }] of (nodeAffinity?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
    yield* weightErrors(`${at}.weight`, weight);
    yield* nodeTermErrors(`${at}.preference`, preference, false);
  }
  yield* podAffinityErrors(`${path}.podAffinity`, podAffinity ?? {});
  yield* podAffinityErrors(`${path}.podAntiAffinity`, podAntiAffinity ?? {});
}

/** Validates a node selector: it needs at least one term. */
export function* nodeSelectorErrors(path: string, { nodeSelectorTerms = [] }: Unvalidated<NodeSelector>): FieldErrors {
  if (nodeSelectorTerms.length === 0) {
    yield requiredField(`${path}.nodeSelectorTerms`, "must have at least one node selector term");
  }
  for (const [index, term] of nodeSelectorTerms.entries()) {
    yield* nodeTermErrors(`${path}.nodeSelectorTerms[${index}]`, term, true);
  }
}

function* weightErrors(path: string, weight: number): FieldErrors {
  if (weight < 1 || weight > 100) yield invalidField(path, weight, "must be in the range 1-100");
}

function* nodeTermErrors(path: string, term: Unvalidated<NodeSelectorTerm>, checksValues: boolean): FieldErrors {
  for (const [index, { key = "", operator = "", values = [] }] of (term.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    yield* operatorErrors(at, operator, values);
    yield* stringErrors(`${at}.key`, key, qualifiedNameProblems);
    if (!checksValues) continue;
    for (const [n, value] of values.entries()) yield* stringErrors(`${at}.values[${n}]`, value, labelValueProblems);
  }
  for (const [index, { key = "", operator = "", values = [] }] of (term.matchFields ?? []).entries()) {
    const at = `${path}.matchFields[${index}]`;
    if (operator !== "In" && operator !== "NotIn") {
      yield invalidField(`${at}.operator`, operator, "not a valid selector operator");
    } else if (values.length !== 1) {
      const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      yield requiredField(`${at}.values`, why);
    }
    if (key !== "metadata.name") yield invalidField(`${at}.key`, key, "not a valid field selector key");
    else
      for (const [n, value] of values.entries()) yield* stringErrors(`${at}.values[${n}]`, value, dnsSubdomainProblems);
  }
}

function* operatorErrors(path: string, operator: string, values: readonly string[]): FieldErrors {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return;
      yield requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      return;
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return;
      yield forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      return;
    case "Gt":
    case "Lt":
      if (values.length === 1) return;
      yield requiredField(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      return;
    default:
      yield invalidField(`${path}.operator`, operator, "not a valid selector operator");
  }
}

function* podAffinityErrors(path: string, affinity: Unvalidated<PodAffinity>): FieldErrors {
  for (const [index, term] of (affinity[REQUIRED] ?? []).entries()) {
    yield* podTermErrors(`${path}.${REQUIRED}[${index}]`, term);
  }
  for (const [index, { weight = 0, podAffinityTerm = {} }] of (affinity[PREFERRED] ?? []).entries()) {
    const at = `${path}.${PREFERRED}[${index}]`;
    yield* weightErrors(`${at}.weight`, weight);
    yield* podTermErrors(`${at}.podAffinityTerm`, podAffinityTerm);
  }
}

function* podTermErrors(path: string, term: Unvalidated<PodAffinityTerm>): FieldErrors {
  const { topologyKey = "", labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  yield* selectorErrors(`${path}.labelSelector`, labelSelector);
  yield* selectorErrors(`${path}.namespaceSelector`, term.namespaceSelector);
  for (const name of term.namespaces ?? []) yield* stringErrors(`${path}.namespace`, name, dnsLabelProblems);
  yield* labelKeyErrors(`${path}.matchLabelKeys`, matchLabelKeys, labelSelector);
  yield* labelKeyErrors(`${path}.mismatchLabelKeys`, mismatchLabelKeys, labelSelector);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    yield invalidField(`${path}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys");
  }
  if (topologyKey === "") yield requiredField(`${path}.topologyKey`, "can not be empty");
  yield* stringErrors(`${path}.topologyKey`, topologyKey, qualifiedNameProblems);
}

function* labelKeyErrors(
  path: string,
  keys: readonly string[],
  selector: UnvalidatedSelector | undefined,
): FieldErrors {
  if (keys.length > 0 && selector === undefined) {
    yield forbiddenField(path, "must not be specified when labelSelector is not set");
  }
  for (const [index, key] of keys.entries()) yield* stringErrors(`${path}[${index}]`, key, qualifiedNameProblems);
}

/** Validates topologySpreadConstraints. */
export function* spreadErrors(
  path: string,
  constraints: readonly Unvalidated<TopologySpreadConstraint>[],
): FieldErrors {
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = "", minDomains } = constraint;
    yield* positiveErrors(`${at}.maxSkew`, maxSkew);
    if (isEmptyString(topologyKey)) yield requiredField(`${at}.topologyKey`, "can not be empty");
    const actions = ["DoNotSchedule", "ScheduleAnyway"];
    if (!actions.includes(whenUnsatisfiable)) {
      yield unsupportedField(`${at}.whenUnsatisfiable`, whenUnsatisfiable, actions);
    }
    const isRepeated = constraints
      .slice(index + 1)
      .some((later) => later.topologyKey === topologyKey && later.whenUnsatisfiable === whenUnsatisfiable);
    if (isRepeated) {
      yield duplicateField(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`);
    }
    if (minDomains !== undefined) {
      yield* positiveErrors(`${at}.minDomains`, minDomains);
      if (whenUnsatisfiable !== "DoNotSchedule") {
        const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        yield invalidField(`${at}.minDomains`, minDomains, why);
      }
    }
    yield* optionalEnumErrors(`${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ["Honor", "Ignore"]);
    yield* optionalEnumErrors(`${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ["Honor", "Ignore"]);
    yield* labelKeyErrors(`${at}.matchLabelKeys`, constraint.matchLabelKeys ?? [], constraint.labelSelector);
    yield* selectorErrors(`${at}.labelSelector`, constraint.labelSelector);
  }
}
