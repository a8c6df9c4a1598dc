/** An OpenAPI schema, or the annotations beside a reference to one. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Differences between the OpenAPI versions in the notation of schemas. */
export interface OpenApiDialect {
  /** Returns a reference to a schema of the document. */
  ref(name: string, remarks: OpenApiSchema): OpenApiSchema;
  readonly intOrString: OpenApiSchema;
  readonly quantity: OpenApiSchema;
}

/** OpenAPI 3.0: siblings of `$ref` are ignored, so the reference is wrapped in `allOf`. */
export const OPENAPI_V3: OpenApiDialect = {
  ref: (name, remarks) => {
    const reference = { $ref: `#/components/schemas/${name}` };
    return Object.keys(remarks).length === 0 ? reference : { ...remarks, allOf: [reference] };
  },
  intOrString: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
};

/** Swagger 2.0, without `oneOf` and `nullable`. */
export const OPENAPI_V2: OpenApiDialect = {
  ref: (name, remarks) => ({ ...remarks, $ref: `#/definitions/${name}` }),
  intOrString: { type: "string", format: "int-or-string" },
  quantity: { type: "string" },
};
