/** Selection by labels and by fields, with the semantics of Kubernetes. Begin with `label.ts`. */

export { SelectorError } from "./error.ts";
export { fieldsOf, formatFieldSelector, matchFields, parseFieldSelector } from "./field.ts";
export type { FieldRequirement, FieldSelector } from "./field.ts";
export { labelSelectorFromObject } from "./label-object.ts";
export type { LabelExpression, LabelSelectorObject } from "./label-object.ts";
export { parseLabelSelector } from "./label-parse.ts";
export { formatLabelSelector, matchLabels } from "./label.ts";
export type { LabelRequirement, Labels, LabelSelector } from "./label.ts";
