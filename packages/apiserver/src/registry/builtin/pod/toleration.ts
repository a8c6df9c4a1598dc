import type { Toleration } from "@levelset/core";
import { invalidField, unsupportedField } from "../../field.ts";
import { labelValueProblems, qualifiedNameProblems } from "../../names.ts";
import { choiceErrors, isBlank, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

/** What a taint can do to pods. */
export const TAINT_EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Everything wrong with the taints that a pod puts up with. */
export function* tolerationErrors(path: string, tolerations: readonly Loose<Toleration>[]): Errors {
  for (const [index, toleration] of tolerations.entries()) {
    const at = `${path}[${index}]`;
    const { key, operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    if (!isBlank(key)) yield* textErrors(`${at}.key`, key, qualifiedNameProblems);
    else if (operator !== "Exists") {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalidField(`${at}.operator`, operator, why);
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      yield invalidField(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    yield* operatorErrors(at, operator, value);
    if (effect !== "") yield* choiceErrors(`${at}.effect`, effect, TAINT_EFFECTS);
  }
}

function* operatorErrors(path: string, operator: string, value: string): Errors {
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

/** With the tolerations that every pod gets, so that it outlives a short absence of its node. */
export function withNodeTolerations(tolerations: readonly Loose<Toleration>[]): readonly Loose<Toleration>[] {
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

function isTolerated(toleration: Loose<Toleration>, key: string): boolean {
  const { key: own = "", effect = "" } = toleration;
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}
