/** Schemas from JSON Schema documents and from libraries that implement Standard Schema. Begin with `from-json-schema.ts`. */

export { structuralFromJsonSchema } from "./from-json-schema.ts";
export type { JsonSchemaOptions } from "./from-json-schema.ts";
export { fromStandardSchema } from "./standard-schema.ts";
export type { StandardSchemaInput, StandardSchemaLike, StandardSchemaOutput } from "./standard-schema.ts";
