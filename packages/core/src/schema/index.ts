/** Declarations of data: types, defaults, validation, pruning and rules from one place. Begin with `s.ts`. */

export { blocksRules, checkRules } from "./check-rules.ts";
export { ListSchema, MapSchema, ObjectSchema } from "./collection.ts";
export { coerceEmbedded } from "./embedded.ts";
export type { Coerced } from "./embedded.ts";
export { childPath, invalidError } from "./field-error.ts";
export type { FieldError, FieldErrorReason } from "./field-error.ts";
export { compilePattern } from "./pattern.ts";
export type { CompiledPattern } from "./pattern.ts";
export { s } from "./s.ts";
export type { EmbeddedObject, Fields, ObjectIn, ObjectOut } from "./s.ts";
export { compileRules } from "./rule-set.ts";
export type { CompiledRule, CompiledRules, RuleCost, RuleIssue, RuleSet } from "./rule-set.ts";
export { NumberSchema, StringSchema } from "./scalar.ts";
export { Schema } from "./schema.ts";
export type { AnySchema, Infer, InferInput, Presence, RuleOptions } from "./schema.ts";
export { applyDefaults, prune } from "./shape.ts";
export type { Pruned } from "./shape.ts";
export { propertySchema } from "./structural.ts";
export type { StructuralSchema, ValidationRule, ValueRules } from "./structural.ts";
export { validate, validateChange } from "./validate.ts";
export { structuralFromJsonSchema } from "./from-json-schema.ts";
export type { JsonSchemaOptions } from "./from-json-schema.ts";
export { schemaFrom } from "./standard.ts";
export type { StandardInput, StandardLike, StandardOutput } from "./standard.ts";
export { TextValue } from "./text-value.ts";
export type { TextOut } from "./text-value.ts";
export { textErrors } from "./text-errors.ts";
