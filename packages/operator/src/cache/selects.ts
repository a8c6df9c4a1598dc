import { fieldsOf, matchFields, matchLabels, parseFieldSelector, parseLabelSelector } from "@levelset/core";
import type { KubeObject, LabelSelector } from "@levelset/core";
import type { Selection } from "../client/index.ts";

/** Read once for each selection: an informer asks with the same one for every object. */
const selectors = new WeakMap<Selection, LabelSelector>();

function labelSelectorOf(selection: Selection, text: string): LabelSelector {
  const selector = selectors.get(selection) ?? parseLabelSelector(text);
  selectors.set(selection, selector);
  return selector;
}

/** Whether a selection takes an object. Undefined when only the server can tell: it knows fields beyond name and namespace. */
export function selects(selection: Selection, object: KubeObject): boolean | undefined {
  const { namespace, labels, fields } = selection;
  const { metadata } = object;
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  if (labels !== undefined && !matchLabels(labelSelectorOf(selection, labels), metadata.labels ?? {})) return false;
  if (fields === undefined) return true;
  const known = new Map([
    ["metadata.name", metadata.name],
    ["metadata.namespace", metadata.namespace ?? ""],
  ]);
  const selector = parseFieldSelector(fields);
  if (!fieldsOf(selector).every((field) => known.has(field))) return undefined;
  return matchFields(selector, (field) => known.get(field));
}
