import { SelectorError } from "./selector-error.ts";
import { labelKeyProblem, labelValueProblem } from "./label-syntax.ts";
import { selectorOfRequirements } from "./label-selector.ts";
import type { LabelRequirement, LabelSelector, Labels } from "./label-selector.ts";

/** The object form of a label selector, as in the spec of a Deployment (`LabelSelector` of meta/v1). */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
}

/** A requirement in the object form. `operator` is one of In, NotIn, Exists and DoesNotExist. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * Converts a `metav1.LabelSelector`. An absent selector selects nothing, an empty one everything
 * (`LabelSelectorAsSelector`, k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go). Throws a `SelectorError` for an invalid
 * key, value or operator.
 */
export function labelSelectorFromObject(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return { kind: "nothing" };
  const labels = Object.entries(object.matchLabels ?? {}).map(fromLabel);
  const expressions = (object.matchExpressions ?? []).map(fromExpression);
  return selectorOfRequirements([...labels, ...expressions]);
}

function fromLabel([key, value]: readonly [string, string]): LabelRequirement {
  return { key: checkedKey(key), operator: "=", value: checkedValue(key, value) };
}

function fromExpression(expression: LabelSelectorRequirement): LabelRequirement {
  const key = checkedKey(expression.key);
  const values = expression.values ?? [];
  switch (expression.operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) throw new SelectorError(`label '${key}': ${expression.operator} needs values`);
      for (const value of values) checkedValue(key, value);
      return { key, operator: expression.operator === "In" ? "in" : "notin", values };
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) throw new SelectorError(`label '${key}': ${expression.operator} takes no values`);
      return { key, operator: expression.operator === "Exists" ? "exists" : "absent" };
    default:
      throw new SelectorError(
        `label '${key}': '${expression.operator}' is not one of the operators In, NotIn, Exists, DoesNotExist`,
      );
  }
}

function checkedKey(key: string): string {
  const problem = labelKeyProblem(key);
  if (problem === undefined) return key;
  throw new SelectorError(`invalid label key '${key}': ${problem}`);
}

function checkedValue(key: string, value: string): string {
  const problem = labelValueProblem(value);
  if (problem === undefined) return value;
  throw new SelectorError(`label '${key}': invalid value '${value}': ${problem}`);
}
