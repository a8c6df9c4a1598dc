import { labelSelectorFromObject, matchLabels, SelectorError } from "@levelset/core";
import type { LabelSelector, LabelSelectorObject } from "@levelset/core";
import { forbiddenField, invalidField, requiredField } from "../../field.ts";
import { labelValueProblems, qualifiedNameProblems } from "../../names.ts";
import { textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

/** A label selector as decoding leaves it. */
export type LooseSelector = Loose<LabelSelectorObject>;

/** Labels as decoding leaves them. */
export type LooseLabels = Loose<Readonly<Record<string, string>>>;

/** Keys and values of labels. */
export function* labelsErrors(path: string, labels: LooseLabels | undefined): Errors {
  for (const [key, value = ""] of Object.entries(labels ?? {})) {
    yield* textErrors(path, key, qualifiedNameProblems);
    yield* textErrors(path, value, labelValueProblems);
  }
}

/** Everything wrong with a label selector. */
export function* selectorErrors(path: string, selector: LooseSelector | undefined): Errors {
  yield* labelsErrors(`${path}.matchLabels`, selector?.matchLabels);
  for (const [index, expression] of (selector?.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const { key = "", operator = "", values = [] } = expression;
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        yield requiredField(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0) {
        yield forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else {
      yield invalidField(`${at}.operator`, operator, "not a valid selector operator");
    }
    yield* textErrors(`${at}.key`, key, qualifiedNameProblems);
    for (const [n, value] of values.entries()) yield* textErrors(`${at}.values[${n}]`, value, labelValueProblems);
  }
}

/** Whether a selector asks for anything. */
export function isEmptySelector(selector: LooseSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
}

/** The selector, or undefined where it is none. An absent one selects nothing. */
export function parsedSelector(selector: LooseSelector | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFromObject(selector === undefined ? undefined : filled(selector));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Whether labels are among those that a selector asks for. A selector that is none is somebody else's concern. */
export function isSelected(selector: LooseSelector | undefined, labels: LooseLabels | undefined): boolean {
  const parsed = parsedSelector(selector);
  return parsed === undefined || matchLabels(parsed, definedLabels(labels));
}

function filled({ matchLabels: labels, matchExpressions = [] }: LooseSelector): LabelSelectorObject {
  const expressions = matchExpressions.map(({ key = "", operator = "", values = [] }) => ({ key, operator, values }));
  return { matchLabels: definedLabels(labels), matchExpressions: expressions };
}

function definedLabels(labels: LooseLabels | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels ?? {}).map(([key, value = ""]) => [key, value]));
}
