/** Schemas: types, defaults, validation, pruning and rules from one declaration. Begin with `s.ts`. */

export { isBlockingError, checkRules } from "./check-rules.ts";
export { ListSchema, MapSchema, ObjectSchema } from "./collection.ts";
export { coerceEmbedded } from "./embedded.ts";
export type { CoerceResult } from "./embedded.ts";
export { childPath, invalidError } from "./field-error.ts";
export type { FieldError, FieldErrorReason } from "./field-error.ts";
export { compilePattern } from "./pattern.ts";
export type { CompiledPattern } from "./pattern.ts";
export { s } from "./s.ts";
export type { EmbeddedObject, SchemaFields, ObjectIn, ObjectOut } from "./s.ts";
export { compileRules } from "./rule-set.ts";
export type { CompiledRule, CompiledRules, RuleCost, RuleIssue, RuleSet } from "./rule-set.ts";
export { NumberSchema, StringSchema } from "./scalar.ts";
export { Schema } from "./schema.ts";
export type { AnySchema, Infer, InferInput, Presence, RuleOptions } from "./schema.ts";
export { applyDefaults, pruneUnknownFields } from "./default-and-prune.ts";
export type { PruneResult } from "./default-and-prune.ts";
export { propertySchema } from "./structural.ts";
export type { StructuralSchema, ValidationRule, ValueRules } from "./structural.ts";
export { validate, validateUpdate } from "./validate.ts";
export { fromStandardSchema, structuralFromJsonSchema } from "./json-schema/index.ts";
export type {
  JsonSchemaOptions,
  StandardSchemaInput,
  StandardSchemaLike,
  StandardSchemaOutput,
} from "./json-schema/index.ts";
export { StringParser } from "./string-parser.ts";
export type { StringParserOutput } from "./string-parser.ts";
export { textErrors } from "./text-errors.ts";
