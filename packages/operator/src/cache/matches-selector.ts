import { selectorFields } from "@levelset/core/internal";
import {
  matchesFieldSelector,
  matchesLabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@levelset/core/schema";
import type { KubeObject } from "@levelset/core";
import type { LabelSelector } from "@levelset/core/schema";
import type { ObjectSelector } from "../client/index.ts";

/** Parsed selectors: an informer uses the same selection for every object. */
const selectors = new WeakMap<ObjectSelector, LabelSelector>();

function labelSelectorOf(selection: ObjectSelector, text: string): LabelSelector {
  const selector = selectors.get(selection) ?? parseLabelSelector(text);
  selectors.set(selection, selector);
  return selector;
}

/**
 * Returns whether a selection matches an object, or undefined if only the server can evaluate it: field selectors
 * beyond name and namespace.
 */
export function matchesSelector(selection: ObjectSelector, object: KubeObject): boolean | undefined {
  const { namespace, labels, fields } = selection;
  const { metadata } = object;
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  if (labels !== undefined && !matchesLabelSelector(labelSelectorOf(selection, labels), metadata.labels ?? {}))
    return false;
  if (fields === undefined) return true;
  const known = new Map([
    ["metadata.name", metadata.name],
    ["metadata.namespace", metadata.namespace ?? ""],
  ]);
  const selector = parseFieldSelector(fields);
  if (!selectorFields(selector).every((field) => known.has(field))) return undefined;
  return matchesFieldSelector(selector, (field) => known.get(field));
}
