import { labelSelectorFromObject } from "@levelset/core/schema";
import type { LabelRequirement, LabelSelector, LabelSelectorObject } from "@levelset/core/schema";

/** Labels that an object must all have. */
export type MatchLabels = Readonly<Record<string, string>>;

/** Selects objects by equal labels, or by a label selector as in the spec of a Deployment. */
export type LabelQuery = MatchLabels | LabelSelectorObject;

const NOTHING: LabelSelector = { kind: "nothing" };

/**
 * Converts a query to a selector. A query without requirements selects no objects, unlike an empty Kubernetes selector,
 * which selects all: an object must not depend on everything by accident. Throws a `SelectorError` for an invalid key,
 * value or operator.
 */
export function labelSelectorOf(query: LabelQuery | undefined): LabelSelector {
  if (query === undefined) return NOTHING;
  const selector = isMap(query) ? exactly(query) : labelSelectorFromObject(query);
  return selector.kind === "all-of" && selector.requirements.length > 0 ? selector : NOTHING;
}

/** Distinguishes a map of labels, whose values are strings, from a selector, whose values are lists and maps. */
function isMap(query: LabelQuery): query is MatchLabels {
  return Object.values(query).every((value) => typeof value === "string");
}

function exactly(labels: MatchLabels): LabelSelector {
  const requirements = Object.entries(labels).map(([key, value]): LabelRequirement => ({ key, operator: "=", value }));
  return { kind: "all-of", requirements };
}
