import { s, Schema } from "@levelset/core";
import type { AnySchema, StructuralSchema } from "@levelset/core";

const text = (description: string): AnySchema => s.string().describe(description).optional();
const flag = (description: string): AnySchema => s.boolean().describe(description).optional();
const requiredText = (description: string): AnySchema => s.string().describe(description);
const count = (description: string): AnySchema => s.int64().describe(description).optional();
const texts = (description: string): AnySchema => s.array(s.string()).atomic().describe(description).optional();
const double = (description: string): AnySchema =>
  new Schema({ type: "number", format: "double", description }, "optional");

/**
 * Returns the published schema of CustomResourceDefinitions. Validation is separate code, because a JSON schema
 * can only be described by a recursive schema. Here a repeated type is published as a reference.
 */
export function crdSchema(): StructuralSchema {
  return s.object({
    spec: s.object(specFields()).describe("Desired state of the definition."),
    status: s.object(statusFields()).describe("Observed state of the definition.").optional(),
  }).structural;
}

const names = (description: string): AnySchema =>
  s
    .object({
      plural: requiredText("Plural name, used in paths."),
      kind: requiredText("Kind of the objects."),
      singular: text("Singular name. Defaults to the kind in lower case."),
      listKind: text("Kind of lists. Defaults to the kind with the suffix List."),
      shortNames: texts("Short names for the command line."),
      categories: texts("Categories that group kinds on the command line, such as all."),
    })
    .describe(description);

function specFields(): Readonly<Record<string, AnySchema>> {
  const service = s.object({
    name: requiredText("Name of the service."),
    namespace: requiredText("Namespace of the service."),
    path: text("URL path of the request."),
    port: s.int32().describe("Port of the service. Defaults to 443.").optional(),
  });
  const clientConfig = s.object({
    url: text("URL of the webhook."),
    service: service.describe("Service of the webhook.").optional(),
    caBundle: s.string().format("byte").describe("CA bundle that verifies the webhook's certificate.").optional(),
  });
  const webhook = s.object({
    clientConfig: clientConfig.describe("How to connect to the webhook.").optional(),
    conversionReviewVersions: s.array(s.string()).atomic().describe("Supported versions of ConversionReview."),
  });
  return {
    group: requiredText("API group of the kind."),
    names: names("Names of the kind."),
    scope: requiredText("Cluster or Namespaced."),
    versions: s.array(s.object(versionFields())).atomic().describe("Versions of the kind."),
    conversion: s
      .object({
        strategy: requiredText("None or Webhook."),
        webhook: webhook.describe("Webhook that converts objects, for strategy Webhook.").optional(),
      })
      .describe("How objects are converted between versions.")
      .optional(),
    preserveUnknownFields: flag("Deprecated: must be false."),
  };
}

function versionFields(): Readonly<Record<string, AnySchema>> {
  const column = s.object({
    name: requiredText("Column header."),
    type: requiredText("string, integer, number, boolean or date."),
    jsonPath: requiredText("JSONPath of the value."),
    description: text("Description of the column."),
    format: text("Format of the value."),
    priority: s.int32().describe("Columns with a priority above 0 are shown in wide output only.").optional(),
  });
  const scale = s.object({
    specReplicasPath: requiredText("JSONPath of the desired replicas."),
    statusReplicasPath: requiredText("JSONPath of the observed replicas."),
    labelSelectorPath: text("JSONPath of the pod selector."),
  });
  return {
    name: requiredText("Name of the version, such as v1."),
    served: s.boolean().describe("Whether the version is served."),
    storage: s.boolean().describe("Whether objects are stored in this version; true for exactly one version."),
    schema: s
      .object({ openAPIV3Schema: s.object(schemaFields()).describe("Schemas of the version.").optional() })
      .describe("OpenAPI v3 schema that validates objects.")
      .optional(),
    subresources: s
      .object({
        status: s.object({}).describe("Enables the status subresource.").optional(),
        scale: scale.describe("Enables the scale subresource.").optional(),
      })
      .describe("Subresources of the version.")
      .optional(),
    additionalPrinterColumns: s.array(column).atomic().describe("Columns of tables. Defaults to the age.").optional(),
    selectableFields: s
      .array(s.object({ jsonPath: requiredText("JSONPath of the field.") }))
      .atomic()
      .describe("Fields that field selectors may use.")
      .optional(),
    deprecated: flag("Whether use of the version returns a warning."),
    deprecationWarning: text("Text of the warning."),
  };
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

function statusFields(): Readonly<Record<string, AnySchema>> {
  const condition = s.object({
    type: requiredText(
      "Type of the condition: Established, NamesAccepted, NonStructuralSchema, Terminating or KubernetesAPIApprovalPolicyConformant.",
    ),
    status: requiredText("True, False or Unknown."),
    lastTransitionTime: s.dateTime().describe("Time of the last change of status.").optional(),
    reason: text("Machine-readable reason."),
    message: text("Message for people."),
    observedGeneration: s.int64().describe("Generation that the condition is about.").optional(),
  });
  return {
    acceptedNames: names("Names that were accepted.").optional(),
    conditions: s.array(condition).keyedBy("type").describe("Conditions of the definition.").optional(),
    observedGeneration: s.int64().describe("Generation that this status is about.").optional(),
    storedVersions: texts("Versions in which objects may still be stored."),
  };
}
