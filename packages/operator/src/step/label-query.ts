import { labelSelectorFromObject } from "@levelset/core";
import type { LabelRequirement, LabelSelector, LabelSelectorObject } from "@levelset/core";

/** Labels that an object must have, all of them. */
export type MatchLabels = Readonly<Record<string, string>>;

/** Which objects are selected: by labels that they all have, or by a label selector as in the spec of a Deployment. */
export type LabelQuery = MatchLabels | LabelSelectorObject;

const NOTHING: LabelSelector = { kind: "nothing" };

/**
 * The selector that a query stands for. A query without any requirement selects nothing, unlike an empty selector of Kubernetes: an
 * object depends on what it names, never on everything. Throws a `SelectorError` for an invalid key, value or operator of a selector.
 */
export function labelSelectorOf(query: LabelQuery | undefined): LabelSelector {
  if (query === undefined) return NOTHING;
  const selector = isMap(query) ? exactly(query) : labelSelectorFromObject(query);
  return selector.kind === "all-of" && selector.requirements.length > 0 ? selector : NOTHING;
}

/** A selector has lists and maps for values, a map of labels has texts. */
function isMap(query: LabelQuery): query is MatchLabels {
  return Object.values(query).every((value) => typeof value === "string");
}

function exactly(labels: MatchLabels): LabelSelector {
  const requirements = Object.entries(labels).map(([key, value]): LabelRequirement => ({ key, operator: "=", value }));
  return { kind: "all-of", requirements };
}
