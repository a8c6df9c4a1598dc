import { labelSelectorFromObject, matchesLabelSelector, SelectorError } from "@levelset/core/schema";
import type { LabelSelector, LabelSelectorObject } from "@levelset/core/schema";
import {
  forbiddenField,
  invalidField,
  requiredField,
  labelValueProblems,
  qualifiedNameProblems,
} from "../../resource/index.ts";
import { stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Unvalidated } from "../unvalidated.ts";

/** A decoded, unvalidated label selector. */
export type UnvalidatedSelector = Unvalidated<LabelSelectorObject>;

/** Decoded, unvalidated labels. */
export type UnvalidatedLabels = Unvalidated<Readonly<Record<string, string>>>;

/** Validates keys and values of labels. */
export function* labelsErrors(path: string, labels: UnvalidatedLabels | undefined): FieldErrors {
  for (const [key, value = ""] of Object.entries(labels ?? {})) {
    yield* stringErrors(path, key, qualifiedNameProblems);
    yield* stringErrors(path, value, labelValueProblems);
  }
}

/** Validates a label selector. */
export function* selectorErrors(path: string, selector: UnvalidatedSelector | undefined): FieldErrors {
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
    yield* stringErrors(`${at}.key`, key, qualifiedNameProblems);
    for (const [n, value] of values.entries()) yield* stringErrors(`${at}.values[${n}]`, value, labelValueProblems);
  }
}

/** Returns whether a selector has no requirements. */
export function isEmptySelector(selector: UnvalidatedSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
}

/** Parses a selector; undefined if it is invalid. An absent selector matches no objects. */
export function parseUnvalidatedSelector(selector: UnvalidatedSelector | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFromObject(selector === undefined ? undefined : filled(selector));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Returns whether a selector matches labels. Invalid selectors match, because another check reports them. */
export function selectorMatches(
  selector: UnvalidatedSelector | undefined,
  labels: UnvalidatedLabels | undefined,
): boolean {
  const parsed = parseUnvalidatedSelector(selector);
  return parsed === undefined || matchesLabelSelector(parsed, definedLabels(labels));
}

function filled({ matchLabels: labels, matchExpressions = [] }: UnvalidatedSelector): LabelSelectorObject {
  const expressions = matchExpressions.map(({ key = "", operator = "", values = [] }) => ({ key, operator, values }));
  return { matchLabels: definedLabels(labels), matchExpressions: expressions };
}

function definedLabels(labels: UnvalidatedLabels | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels ?? {}).map(([key, value = ""]) => [key, value]));
}
