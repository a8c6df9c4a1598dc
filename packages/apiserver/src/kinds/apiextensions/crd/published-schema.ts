import { s } from "@levelset/core";
import { Schema } from "@levelset/core/schema";
import type { AnySchema, StructuralSchema } from "@levelset/core/schema";

const text = (description: string): AnySchema => s.string().describe(description).optional();
const flag = (description: string): AnySchema => s.boolean().describe(description).optional();
const requiredText = (description: string): AnySchema => s.string().describe(description);
const count = (description: string): AnySchema => s.int64().describe(description).optional();
const texts = (description: string): AnySchema => s.array(s.string()).atomic().describe(description).optional();
const double = (description: string): AnySchema =>
  new Schema({ type: "number", format: "double", description }, "optional");

/** Parts of the published schema that differ from the schema of core, by path. */
const REPLACED: Readonly<Record<string, () => AnySchema>> = {
  // A JSON schema can only be described by a recursive schema. Here a repeated type is published as a reference.
  "spec.versions.schema.openAPIV3Schema": () => s.object(schemaFields()).describe("Schema of the objects."),
  "spec.versions.subresources.status": () => s.object({}).describe("Enables the status subresource."),
  "status.conditions.observedGeneration": () => s.int64().describe("Generation that the condition is about."),
};

/** Returns the published schema of CustomResourceDefinitions, whose validation is separate code. */
export function publishedCrdSchema(body: StructuralSchema): StructuralSchema {
  return Object.entries(REPLACED).reduce(
    (schema, [path, part]) => withPart(schema, path.split("."), part().structural),
    body,
  );
}

/** Returns a schema with the part at a path replaced. A list on the path stands for its items. */
function withPart(schema: StructuralSchema, path: readonly string[], part: StructuralSchema): StructuralSchema {
  const [name, ...rest] = path;
  if (name === undefined) return part;
  if (schema.items !== undefined) return { ...schema, items: withPart(schema.items, path, part) };
  const { properties = {} } = schema;
  return { ...schema, properties: { ...properties, [name]: withPart(properties[name] ?? {}, rest, part) } };
}

function schemaFields(): Readonly<Record<string, AnySchema>> {
  const again = s.object({});
  const anything = s.any();
  const schemas = (description: string): AnySchema => s.array(again).atomic().describe(description).optional();
  const byName = (description: string): AnySchema => s.map(again).describe(description).optional();
  return {
    $ref: text("Not supported."),
    $schema: text("Not supported."),
    additionalItems: anything.describe("Not supported.").optional(),
    additionalProperties: anything.describe("Schema of all other fields.").optional(),
    allOf: schemas("All schemas must match."),
    anyOf: schemas("At least one schema must match."),
    default: anything.describe("Default value of the field.").optional(),
    definitions: byName("Not supported."),
    dependencies: s.map(anything).describe("Not supported.").optional(),
    description: text("Description for people."),
    enum: s.array(anything).atomic().describe("Allowed values.").optional(),
    example: anything.describe("Example value.").optional(),
    exclusiveMaximum: flag("Whether the value must be less than maximum."),
    exclusiveMinimum: flag("Whether the value must be greater than minimum."),
    externalDocs: s
      .object({ description: text("What is there."), url: text("Where it is.") })
      .describe("Link to further documentation.")
      .optional(),
    format: text("Format of a string or number, such as date-time."),
    id: text("Not supported."),
    items: anything.describe("Schema of the list items.").optional(),
    maxItems: count("Maximum number of items."),
    maxLength: count("Maximum length in characters."),
    maxProperties: count("Maximum number of fields."),
    maximum: double("Largest allowed number."),
    minItems: count("Minimum number of items."),
    minLength: count("Minimum length in characters."),
    minProperties: count("Minimum number of fields."),
    minimum: double("Smallest allowed number."),
    multipleOf: double("The value must be a multiple of this number."),
    not: again.describe("Schema that must not match.").optional(),
    nullable: flag("Whether null is allowed."),
    oneOf: schemas("Exactly one schema must match."),
    pattern: text("Regular expression that a string must match."),
    patternProperties: byName("Not supported."),
    properties: byName("Schemas of the fields."),
    required: texts("Required fields."),
    title: text("Short description."),
    type: text("object, array, string, integer, number or boolean."),
    uniqueItems: flag("Must be false."),
    ...extensionFields(),
  };
}

function extensionFields(): Readonly<Record<string, AnySchema>> {
  const rule = s.object({
    rule: requiredText("CEL expression: self is the new value, oldSelf the previous one."),
    message: text("Message if the rule fails."),
    messageExpression: text("CEL expression that returns the message."),
    reason: s
      .enum("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
      .describe("Machine-readable reason of the error.")
      .optional(),
    fieldPath: text("Path of the field that the error names."),
    optionalOldSelf: flag("Whether a transition rule also applies to new values."),
  });
  const rules: StructuralSchema = {
    ...s.array(rule).keyedBy("rule").describe("Validation rules in CEL.").structural,
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "rule",
  };
  return {
    "x-kubernetes-embedded-resource": flag("Whether the value is an embedded Kubernetes object."),
    "x-kubernetes-int-or-string": flag("Whether the value is an integer or a string."),
    "x-kubernetes-list-map-keys": texts("Fields that identify the items of a list."),
    "x-kubernetes-list-type": text("How lists are merged: atomic, set or map."),
    "x-kubernetes-map-type": text("How objects are merged: atomic or granular."),
    "x-kubernetes-preserve-unknown-fields": flag("Whether unknown fields are preserved."),
    "x-kubernetes-validations": new Schema(rules, "optional"),
  };
}
