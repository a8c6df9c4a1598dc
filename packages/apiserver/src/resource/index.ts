/** What a served resource is, and the parts that kinds are made of. Begin with `resource.ts`. */

export { bodySchemaOf, resourceApiVersion, subresourceStrategyOf } from "./resource.ts";
export { builtinResource } from "./builtin-resource.ts";
export { toStructuralSchema } from "./crd-schema.ts";
export { resourcesOf } from "./custom-resource.ts";
export type { Crd } from "./crd-schema.ts";
export { deleteOptionsFromBody, deleteOptionsFromQuery } from "./delete-options.ts";
export type { DeleteOptions, PropagationPolicy } from "./delete-options.ts";
export {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  checkDeletePreconditions,
  decideObjectDeletion,
  deletionFinalizers,
  isFinalized,
} from "./deletion.ts";
export type { DeletionDecision, DeletionRequest } from "./deletion.ts";
export {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFieldWithoutValue,
  notFoundField,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "./field-errors.ts";
export { NAME_FIELD, NAME_FIELDS, fieldAt, fieldLabels, fieldsAt } from "./field-labels.ts";
export type { FieldLabels } from "./field-labels.ts";
export { fieldMatcher } from "./field-selector.ts";
export { asArray, asRecord } from "./json-access.ts";
export { META_SCHEMA, annotationErrors, finalizerWarnings, metadataErrors, metadataUpdateErrors } from "./metadata.ts";
export {
  configKeyProblems,
  dns1035Problems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
} from "./name-validation.ts";
export { formatAge, humanDuration } from "./printer/age.ts";
export {
  NONE_CELL,
  UNKNOWN_CELL,
  UNSET_CELL,
  containersText,
  formatSelectorCell,
  labelsText,
  loadBalancerText,
  nameWithDefaultMark,
  quantityText,
  selectorCell,
  truncateList,
} from "./printer/cell-text.ts";
export {
  AGE_COLUMN,
  CONTAINER_COLUMNS,
  NAME_AND_AGE_PRINTER,
  MARKED_NAME_COLUMN,
  NAME_COLUMN,
  booleanColumn,
  integerColumn,
  printer,
  tableColumn,
  wideColumn,
} from "./printer/printer.ts";
export type { Printer, TableColumnDefinition, TableRowCondition } from "./printer/printer.ts";
export type { Alias, Resource } from "./resource.ts";
export type { Reviewer, ReviewContext, VirtualCreate } from "./review.ts";
export { pathSegments, scaleErrors, valueAt } from "./scale-value.ts";
export {
  OPTIMISTIC_LOCK_MESSAGE,
  alreadyExistsError,
  badRequestError,
  conflictError,
  forbiddenError,
  internalError,
  methodNotAllowedError,
  noSuchResourceError,
  notFoundError,
  terminatingKindError,
  terminatingNamespaceError,
  unconvertibleError,
  unreadable,
} from "./status-errors.ts";
export type { IsValueTaken, KindStrategy, StrategyContext, UniqueValuesOf } from "./strategy.ts";
export { ALL_VERBS, SCALE_SUBRESOURCE, wholeObjectSubresource } from "./subresource-info.ts";
export type { SubresourceInfo, SubresourceStrategy, Verb, WritableSubresource } from "./subresource-info.ts";
export type { UnvalidatedObject } from "./unvalidated-object.ts";
