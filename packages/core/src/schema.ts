/** Schemas, validation, and the values that they describe: quantities, selectors, durations, JSONPath. */

export { formatGoDuration, namedFormats, parseGoDuration } from "./format/index.ts";
export type { NamedFormat } from "./format/index.ts";
export { compileJsonPath, evaluateJsonPath, JsonPathError } from "./jsonpath/index.ts";
export type { JsonPath, PathStep } from "./jsonpath/index.ts";
export { convertObject, diffCrds } from "./kind/index.ts";
export type {
  ChangeSeverity,
  ConversionFunctions,
  CrdChange,
  CrdDiffOptions,
  CrdOptions,
  CrdSpec,
  KindFromCrdOptions,
  NewCrd,
  PrinterColumn,
  ScalePaths,
  VersionedFields,
  VersionedFieldsOf,
} from "./kind/index.ts";
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  isQuantity,
  parseQuantity,
  QuantityError,
  quantityFromInteger,
  quantityToDouble,
  quantityToInteger,
  signOfQuantity,
  subQuantities,
} from "./quantity/index.ts";
export type { Quantity, QuantityFormat } from "./quantity/index.ts";
export {
  applyDefaults,
  fromStandardSchema,
  ListSchema,
  MapSchema,
  NumberSchema,
  ObjectSchema,
  pruneUnknownFields,
  Schema,
  StringParser,
  StringSchema,
  structuralFromJsonSchema,
  validate,
  validateUpdate,
} from "./schema/index.ts";
export type {
  AnySchema,
  FieldError,
  FieldErrorReason,
  InferInput,
  JsonSchemaOptions,
  ObjectIn,
  ObjectOut,
  Presence,
  PruneResult,
  RuleOptions,
  SchemaFields,
  StandardSchemaInput,
  StandardSchemaLike,
  StandardSchemaOutput,
  StringParserOutput,
  StructuralSchema,
  ValidationRule,
  ValueRules,
} from "./schema/index.ts";
export {
  formatFieldSelector,
  formatLabelSelector,
  labelSelectorFromObject,
  matchesFieldSelector,
  matchesLabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "./selector/index.ts";
export type {
  FieldRequirement,
  FieldSelector,
  LabelRequirement,
  Labels,
  LabelSelector,
  LabelSelectorObject,
  LabelSelectorRequirement,
} from "./selector/index.ts";
