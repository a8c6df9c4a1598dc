/** Label and field selectors with the semantics of Kubernetes. Begin with `label-selector.ts`. */

export { SelectorError } from "./selector-error.ts";
export { selectorFields, formatFieldSelector, matchesFieldSelector, parseFieldSelector } from "./field-selector.ts";
export type { FieldRequirement, FieldSelector } from "./field-selector.ts";
export { labelSelectorFromObject } from "./label-object.ts";
export type { LabelSelectorRequirement, LabelSelectorObject } from "./label-object.ts";
export { parseLabelSelector } from "./parse-label-selector.ts";
export { formatLabelSelector, matchesLabelSelector } from "./label-selector.ts";
export type { LabelRequirement, Labels, LabelSelector } from "./label-selector.ts";
