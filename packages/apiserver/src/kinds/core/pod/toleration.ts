import type { Toleration } from "@levelset/core";
import { invalidField, unsupportedField, labelValueProblems, qualifiedNameProblems } from "../../../resource/index.ts";
import { enumErrors, isEmptyString, stringErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** Effects of taints. */
export const TAINT_EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates tolerations. */
export function* tolerationErrors(path: string, tolerations: readonly Unvalidated<Toleration>[]): FieldErrors {
  for (const [index, toleration] of tolerations.entries()) {
    const at = `${path}[${index}]`;
    const { key, operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    if (!isEmptyString(key)) yield* stringErrors(`${at}.key`, key, qualifiedNameProblems);
    else if (operator !== "Exists") {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalidField(`${at}.operator`, operator, why);
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      yield invalidField(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    yield* operatorErrors(at, operator, value);
    if (effect !== "") yield* enumErrors(`${at}.effect`, effect, TAINT_EFFECTS);
  }
}

function* operatorErrors(path: string, operator: string, value: string): FieldErrors {
  const at = `${path}.operator`;
  if (operator === "Equal" || operator === "") {
    const problems = labelValueProblems(value);
    if (problems.length > 0) yield invalidField(at, value, problems.join(";"));
  } else if (operator === "Exists") {
    if (value !== "") yield invalidField(at, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator === "Lt" || operator === "Gt") {
    yield unsupportedField(at, operator, ["Equal", "Exists", "Lt", "Gt"]);
  } else {
    yield unsupportedField(at, operator, ["Equal", "Exists"]);
  }
}

const UNTIL_EVICTED_SECONDS = 300;

/**
 * Adds the default tolerations for unready and unreachable nodes
 * (`plugin/pkg/admission/defaulttolerationseconds/admission.go`, Kubernetes 1.36).
 */
export function withNodeTolerations(
  tolerations: readonly Unvalidated<Toleration>[],
): readonly Unvalidated<Toleration>[] {
  const keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
  const missing = keys.filter((key) => !tolerations.some((toleration) => isTolerated(toleration, key)));
  const added = missing.map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: UNTIL_EVICTED_SECONDS,
  }));
  return [...tolerations, ...added];
}

function isTolerated(toleration: Unvalidated<Toleration>, key: string): boolean {
  const { key: own = "", effect = "" } = toleration;
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}
