import type { JobSpec } from "@levelset/core";
import {
  duplicateField,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
  invalidFieldWithoutValue,
  qualifiedNameProblems,
} from "../../resource/index.ts";
import { isEmptyString, nonNegativeErrors, optionalEnumErrors, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { templateDefaults } from "../core/pod/defaults.ts";
import { templateErrors } from "../core/pod/template.ts";
import { indexesProblem } from "./indexes.ts";

/** Defaults and validation of a Job's spec. */

type LooseSpec = Unvalidated<JobSpec>;
type FailureRule = NonNullable<NonNullable<LooseSpec["podFailurePolicy"]>["rules"]>[number];

const INT32_MAX = 2 ** 31 - 1;
const PARALLELISM_MAX = 100_000;
const RULES_MAX = 20;
const VALUES_MAX = 255;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Applies the defaults of a Job's spec. */
export function jobSpecDefaults(spec: LooseSpec): LooseSpec {
  const { completions, parallelism, backoffLimitPerIndex, podFailurePolicy } = spec;
  return omitUndefined({
    ...jobTemplateDefaults(spec),
    completions: completions ?? (parallelism === undefined ? 1 : undefined),
    parallelism: parallelism ?? 1,
    backoffLimit: spec.backoffLimit ?? (backoffLimitPerIndex === undefined ? 6 : INT32_MAX),
    completionMode: spec.completionMode ?? "NonIndexed",
    suspend: spec.suspend ?? false,
    podReplacementPolicy:
      spec.podReplacementPolicy ?? (podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed"),
    manualSelector: spec.manualSelector ?? false,
  });
}

/** Applies the defaults of a Job's spec in the template of a CronJob. */
export function jobTemplateDefaults(spec: LooseSpec = {}): LooseSpec {
  return { ...spec, template: templateDefaults(spec.template) };
}

/** Validates a Job's spec without its selector. */
export function* jobSpecErrors(path: string, spec: LooseSpec): FieldErrors {
  yield* nonNegativeErrors(`${path}.parallelism`, spec.parallelism);
  yield* nonNegativeErrors(`${path}.completions`, spec.completions);
  yield* nonNegativeErrors(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds);
  yield* nonNegativeErrors(`${path}.backoffLimit`, spec.backoffLimit);
  yield* nonNegativeErrors(`${path}.ttlSecondsAfterFinished`, spec.ttlSecondsAfterFinished);
  yield* nonNegativeErrors(`${path}.backoffLimitPerIndex`, spec.backoffLimitPerIndex);
  yield* nonNegativeErrors(`${path}.maxFailedIndexes`, spec.maxFailedIndexes);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    yield requiredField(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified");
  }
  if (spec.managedBy !== undefined) yield* managerErrors(`${path}.managedBy`, spec.managedBy);
  yield* completionErrors(path, spec);
  if (spec.podFailurePolicy !== undefined) yield* failurePolicyErrors(`${path}.podFailurePolicy`, spec);
  if (spec.successPolicy !== undefined) yield* successPolicyErrors(`${path}.successPolicy`, spec);
  const replacements = spec.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  yield* optionalEnumErrors(`${path}.podReplacementPolicy`, spec.podReplacementPolicy, replacements);
  yield* templateErrors(`${path}.template`, spec.template ?? {});
  yield* restartErrors(`${path}.template.spec.restartPolicy`, spec);
}

function* managerErrors(path: string, manager: string): FieldErrors {
  const [domain = "", ...rest] = manager.split("/");
  if (domain === "" || rest.length === 0 || rest.join("/") === "") {
    yield invalidField(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  if (manager.length > 63) yield tooLongField(path, 63);
}

function* completionErrors(path: string, spec: LooseSpec): FieldErrors {
  const { completionMode, completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes } = spec;
  yield* optionalEnumErrors(`${path}.completionMode`, completionMode, ["NonIndexed", "Indexed"]);
  if (completionMode !== "Indexed") {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"] as const) {
      const value = spec[field];
      if (value !== undefined) yield invalidField(`${path}.${field}`, value, "requires indexed completion mode");
    }
    return;
  }
  if (completions === undefined) yield requiredField(`${path}.completions`, "when completion mode is Indexed");
  if (parallelism > PARALLELISM_MAX) {
    const why = `must be less than or equal to ${PARALLELISM_MAX} when completion mode is Indexed`;
    yield invalidField(`${path}.parallelism`, parallelism, why);
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    yield invalidField(`${path}.maxFailedIndexes`, maxFailedIndexes, "must be less than or equal to completions");
  }
  if ((completions ?? 0) > PARALLELISM_MAX && backoffLimitPerIndex !== undefined && maxFailedIndexes === undefined) {
    yield requiredField(`${path}.maxFailedIndexes`, `must be specified when completions is above ${PARALLELISM_MAX}`);
  }
}

function* failurePolicyErrors(path: string, spec: LooseSpec): FieldErrors {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > RULES_MAX) yield tooManyField(`${path}.rules`, rules.length, RULES_MAX);
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name = "" }) => name);
  for (const [index, rule] of rules.entries()) {
    const at = `${path}.rules[${index}]`;
    const { action, onExitCodes, onPodConditions = [] } = rule;
    if (isEmptyString(action))
      yield requiredField(`${at}.action`, `valid values: [${ACTIONS.map((a) => `"${a}"`).join(" ")}]`);
    else if (action === "FailIndex") {
      if (spec.backoffLimitPerIndex === undefined) {
        yield invalidField(`${at}.action`, action, "requires the backoffLimitPerIndex to be set");
      }
    } else if (!ACTIONS.includes(action)) yield unsupportedField(`${at}.action`, action, ACTIONS);
    if (onExitCodes !== undefined) yield* exitCodeErrors(`${at}.onExitCodes`, onExitCodes, names);
    for (const [n, { type = "", status = "" }] of onPodConditions.entries()) {
      yield* stringErrors(`${at}.onPodConditions[${n}].type`, type, qualifiedNameProblems);
      yield* optionalEnumErrors(`${at}.onPodConditions[${n}].status`, status, ["False", "True", "Unknown"]);
    }
    const isConditional = onPodConditions.length > 0;
    if (onExitCodes !== undefined && isConditional) {
      yield invalidFieldWithoutValue(at, "specifying both OnExitCodes and OnPodConditions is not supported");
    }
    if (onExitCodes === undefined && !isConditional) {
      yield invalidFieldWithoutValue(at, "specifying one of OnExitCodes and OnPodConditions is required");
    }
  }
}

function* exitCodeErrors(
  path: string,
  codes: NonNullable<FailureRule["onExitCodes"]>,
  names: readonly string[],
): FieldErrors {
  const { operator, containerName, values = [] } = codes;
  if (isEmptyString(operator)) yield requiredField(`${path}.operator`, 'valid values: ["In" "NotIn"]');
  else if (operator !== "In" && operator !== "NotIn")
    yield unsupportedField(`${path}.operator`, operator, ["In", "NotIn"]);
  if (containerName !== undefined && !names.includes(containerName)) {
    const why = "must be one of the container or initContainer names in the pod template";
    yield invalidField(`${path}.containerName`, containerName, why);
  }
  if (values.length === 0) yield invalidField(`${path}.values`, values, "at least one value is required");
  else if (values.length > VALUES_MAX) yield tooManyField(`${path}.values`, values.length, VALUES_MAX);
  for (const [index, value] of values.entries()) {
    if (operator === "In" && value === 0) {
      yield invalidField(`${path}.values[${index}]`, value, "must not be 0 for the In operator");
    }
    if (values.indexOf(value) < index) yield duplicateField(`${path}.values[${index}]`, value);
  }
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
  if (!isOrdered) yield invalidField(`${path}.values`, values, "must be ordered");
}

function* successPolicyErrors(path: string, spec: LooseSpec): FieldErrors {
  const { completionMode, completions = 0, successPolicy } = spec;
  if (completionMode !== "Indexed") {
    yield invalidField(path, successPolicy, "requires indexed completion mode");
    return;
  }
  const rules = successPolicy?.rules ?? [];
  if (rules.length === 0) {
    yield requiredField(`${path}.rules`, "at least one rules must be specified when the successPolicy is specified");
  }
  if (rules.length > RULES_MAX) yield tooManyField(`${path}.rules`, rules.length, RULES_MAX);
  for (const [index, { succeededCount, succeededIndexes }] of rules.entries()) {
    const at = `${path}.rules[${index}]`;
    if (succeededCount === undefined && succeededIndexes === undefined) {
      yield requiredField(at, "at least one of succeededCount or succeededIndexes must be specified");
    }
    const problem = succeededIndexes === undefined ? undefined : indexesProblem(succeededIndexes, completions);
    if (problem !== undefined) {
      yield invalidField(`${at}.succeededIndexes`, succeededIndexes, `error parsing succeededIndexes: ${problem}`);
    }
    yield* nonNegativeErrors(`${at}.succeededCount`, succeededCount);
    if ((succeededCount ?? 0) > completions) {
      const why = `must be less than or equal to ${completions} (the number of specified completions)`;
      yield invalidField(`${at}.succeededCount`, succeededCount, why);
    }
  }
}

function* restartErrors(path: string, spec: LooseSpec): FieldErrors {
  const { restartPolicy = "" } = spec.template?.spec ?? {};
  if (restartPolicy === "Always" || restartPolicy === "") {
    yield requiredField(path, 'valid values: "OnFailure", "Never"');
  } else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    yield unsupportedField(path, restartPolicy, ["OnFailure", "Never"]);
  } else if (spec.podFailurePolicy !== undefined && restartPolicy !== "Never") {
    yield invalidField(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
