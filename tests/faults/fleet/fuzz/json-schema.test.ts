import { expect, test } from "vitest";
import { SchemaChecker } from "./json-schema.ts";

const DOCUMENT = {
  components: { schemas: { Name: { type: "string", minLength: 2, pattern: "^[a-z]+$" }, Any: {} } },
};
const NAME = { $ref: "#/components/schemas/Name" };

test.for([
  [NAME, "ab", []],
  [NAME, "a", ["$: 1 violates minLength 2"]],
  [NAME, 7, ["$: is not a string"]],
  [{ $ref: "#/components/schemas/Nope" }, 1, ["$: missing schema"]],
  [{ type: ["integer", "null"], maximum: 3 }, null, []],
  [{ type: ["integer", "null"], maximum: 3 }, 4, ["$: 4 violates maximum 3"]],
  [{ type: "integer", format: "int32" }, 2 ** 31, ["$: 2147483648 has more than 32 bits"]],
  [{ type: "string", format: "date-time" }, "soon", ["$: soon is not a date-time"]],
  [{ type: "object", properties: { a: NAME }, required: ["a"] }, {}, ["$: a is missing"]],
  [{ type: "object", properties: { a: NAME } }, { a: "ab", b: 1 }, ["$: the schema does not name b"]],
  [{ type: "object", properties: { a: NAME }, additionalProperties: true }, { b: 1 }, []],
  [{ type: "object", additionalProperties: NAME }, { b: 1 }, ["$.b: is not a string"]],
  [{ type: "object", additionalProperties: false }, { b: 1 }, ["$: b is not allowed"]],
  [{ type: "array", items: NAME, maxItems: 2 }, ["ab", "x1"], ["$[1]: x1 does not match ^[a-z]+$"]],
  [{ enum: ["a", 1] }, 1, []],
  [{ enum: ["a", 1] }, 2, ["$: 2 is not in the enum"]],
  [{ anyOf: [NAME, { type: "null" }] }, 7, ["$: matches none of anyOf"]],
  [{ oneOf: [NAME, { type: "string" }] }, "ab", ["$: matches 2 of oneOf"]],
  [{ allOf: [NAME, { maxLength: 3 }] }, "abcd", ["$: 4 violates maxLength 3"]],
  [{ type: "string", contentEncoding: "base64" }, "ab", ["$: unknown keyword contentEncoding"]],
] as const)("%j applied to %j: %j", ([schema, value, problems]) => {
  expect(new SchemaChecker(DOCUMENT).problems(schema, value)).toEqual(problems);
});
