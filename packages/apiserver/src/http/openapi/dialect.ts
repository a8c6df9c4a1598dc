import type { TypeName } from "./type-name.ts";
import { schemaName } from "./type-name.ts";

/** What stands beside a reference: what this use of the type says about it. */
export type Remarks = Readonly<Record<string, unknown>>;

/** Where the versions of OpenAPI differ in how they write schemas. */
export interface Dialect {
  /** A reference to a schema of the document. */
  refer(name: string, remarks: Remarks): Remarks;
  readonly intOrString: Remarks;
  readonly quantity: Remarks;
}

/** OpenAPI 3.0: nothing may stand beside `$ref`, so that it is wrapped. */
export const V3: Dialect = {
  refer: (name, remarks) => {
    const reference = { $ref: `#/components/schemas/${name}` };
    return Object.keys(remarks).length === 0 ? reference : { ...remarks, allOf: [reference] };
  },
  intOrString: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
};

/** Swagger 2.0, with neither `oneOf` nor `nullable`. */
export const V2: Dialect = {
  refer: (name, remarks) => ({ ...remarks, $ref: `#/definitions/${name}` }),
  intOrString: { type: "string", format: "int-or-string" },
  quantity: { type: "string" },
};

/** Scalars that have a schema of their own, since no simple type says what they are. */
export const INT_OR_STRING: string = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
export const QUANTITY: string = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/** A reference to a type. */
export function referTo(dialect: Dialect, type: TypeName, remarks: Remarks = {}): Remarks {
  return dialect.refer(schemaName(type), remarks);
}
