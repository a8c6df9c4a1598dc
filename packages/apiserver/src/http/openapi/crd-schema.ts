import { s, Schema } from "@levelset/core";
import type { AnySchema, StructuralSchema } from "@levelset/core";

const text = (description: string): AnySchema => s.string().describe(description).optional();
const flag = (description: string): AnySchema => s.boolean().describe(description).optional();
const given = (description: string): AnySchema => s.string().describe(description);
const count = (description: string): AnySchema => s.int64().describe(description).optional();
const texts = (description: string): AnySchema => s.array(s.string()).atomic().describe(description).optional();
const double = (description: string): AnySchema =>
  new Schema({ type: "number", format: "double", description }, "optional");

/**
 * What is published about CustomResourceDefinitions. They are checked by rules of their own, since a schema cannot be described by a schema
 * that does not refer to itself. Here it does: wherever a type comes again, its name alone is published.
 */
export function crdSchema(): StructuralSchema {
  return s.object({
    spec: s.object(specFields()).describe("What is declared."),
    status: s.object(statusFields()).describe("What became of it.").optional(),
  }).structural;
}

const names = (description: string): AnySchema =>
  s
    .object({
      plural: given("How collections are called in paths."),
      kind: given("How objects call their kind."),
      singular: text("How one object is called; the kind in lower case unless given."),
      listKind: text("How lists call their kind; the kind with List unless given."),
      shortNames: texts("Short forms for the command line."),
      categories: texts("Groups of kinds that the command line shows together, such as all."),
    })
    .describe(description);

function specFields(): Readonly<Record<string, AnySchema>> {
  const service = s.object({
    name: given("Its name."),
    namespace: given("Its namespace."),
    path: text("The path to ask."),
    port: s.int32().describe("The port; 443 unless given.").optional(),
  });
  const clientConfig = s.object({
    url: text("Where to ask."),
    service: service.describe("The service to ask.").optional(),
    caBundle: s.string().format("byte").describe("Certificates to trust.").optional(),
  });
  const webhook = s.object({
    clientConfig: clientConfig.describe("How to reach it.").optional(),
    conversionReviewVersions: s.array(s.string()).atomic().describe("Versions of the question it understands."),
  });
  return {
    group: given("The API group of the kind."),
    names: names("How it is called."),
    scope: given("Cluster or Namespaced."),
    versions: s.array(s.object(versionFields())).atomic().describe("Its versions."),
    conversion: s
      .object({
        strategy: given("None or Webhook."),
        webhook: webhook.describe("Who converts, for Webhook.").optional(),
      })
      .describe("How objects get from one version to another.")
      .optional(),
    preserveUnknownFields: flag("Obsolete: must be false."),
  };
}

function versionFields(): Readonly<Record<string, AnySchema>> {
  const column = s.object({
    name: given("Its head."),
    type: given("string, integer, number, boolean or date."),
    jsonPath: given("Where its values are."),
    description: text("What it shows."),
    format: text("The format of its values."),
    priority: s.int32().describe("Above 0: only in the wide view.").optional(),
  });
  const scale = s.object({
    specReplicasPath: given("Where the wanted number is."),
    statusReplicasPath: given("Where the present number is."),
    labelSelectorPath: text("Where the selector of the pods is."),
  });
  return {
    name: given("Its name, such as v1."),
    served: s.boolean().describe("Whether it can be used."),
    storage: s.boolean().describe("Whether objects are stored in it; true for exactly one."),
    schema: s
      .object({ openAPIV3Schema: s.object(schemaFields()).describe("The schema.").optional() })
      .describe("What objects look like.")
      .optional(),
    subresources: s
      .object({
        status: s.object({}).describe("That status is written by itself.").optional(),
        scale: scale.describe("That it can be scaled.").optional(),
      })
      .describe("Parts with a path of their own.")
      .optional(),
    additionalPrinterColumns: s.array(column).atomic().describe("Columns of tables; the age unless given.").optional(),
    selectableFields: s
      .array(s.object({ jsonPath: given("Where the field is.") }))
      .atomic()
      .describe("Fields that selectors may name.")
      .optional(),
    deprecated: flag("Whether those who use it are warned."),
    deprecationWarning: text("What they are told."),
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
    additionalProperties: anything.describe("What all other fields look like.").optional(),
    allOf: schemas("Each must hold."),
    anyOf: schemas("One at least must hold."),
    default: anything.describe("The value of a field that is absent.").optional(),
    definitions: byName("Not supported."),
    dependencies: s.map(anything).describe("Not supported.").optional(),
    description: text("What it is, for people."),
    enum: s.array(anything).atomic().describe("The values it may have.").optional(),
    example: anything.describe("A value, for people.").optional(),
    exclusiveMaximum: flag("Whether it must be below maximum."),
    exclusiveMinimum: flag("Whether it must be above minimum."),
    externalDocs: s
      .object({ description: text("What is there."), url: text("Where it is.") })
      .describe("Where to read more.")
      .optional(),
    format: text("The form of a text or number, such as date-time."),
    id: text("Not supported."),
    items: anything.describe("What the items of a list look like.").optional(),
    maxItems: count("The most items."),
    maxLength: count("The most characters."),
    maxProperties: count("The most fields."),
    maximum: double("The largest number."),
    minItems: count("The fewest items."),
    minLength: count("The fewest characters."),
    minProperties: count("The fewest fields."),
    minimum: double("The smallest number."),
    multipleOf: double("What it must be a multiple of."),
    not: again.describe("Must not hold.").optional(),
    nullable: flag("Whether it may be null."),
    oneOf: schemas("Exactly one must hold."),
    pattern: text("A regular expression that a text must match."),
    patternProperties: byName("Not supported."),
    properties: byName("What fields look like."),
    required: texts("Fields that must be given."),
    title: text("What it is, in short."),
    type: text("object, array, string, integer, number or boolean."),
    uniqueItems: flag("Must be false."),
    ...extensionFields(),
  };
}

function extensionFields(): Readonly<Record<string, AnySchema>> {
  const rule = s.object({
    rule: given("The rule in CEL: self is the value, oldSelf the one before."),
    message: text("What is said when it does not hold."),
    messageExpression: text("The same, in CEL."),
    reason: s
      .enum("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
      .describe("What is said in one word.")
      .optional(),
    fieldPath: text("The field that is to blame."),
    optionalOldSelf: flag("Whether it holds for new values, too."),
  });
  const rules: StructuralSchema = {
    ...s.array(rule).keyedBy("rule").describe("Rules in CEL.").structural,
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "rule",
  };
  return {
    "x-kubernetes-embedded-resource": flag("Whether it is an object of Kubernetes."),
    "x-kubernetes-int-or-string": flag("Whether it is a number or a text."),
    "x-kubernetes-list-map-keys": texts("Fields that tell the items of a list apart."),
    "x-kubernetes-list-type": text("atomic, set or map: how lists are merged."),
    "x-kubernetes-map-type": text("atomic or granular: how objects are merged."),
    "x-kubernetes-preserve-unknown-fields": flag("Whether fields that nothing is said about are kept."),
    "x-kubernetes-validations": new Schema(rules, "optional"),
  };
}

function statusFields(): Readonly<Record<string, AnySchema>> {
  const condition = s.object({
    type: given(
      "Established, NamesAccepted, NonStructuralSchema, Terminating or KubernetesAPIApprovalPolicyConformant.",
    ),
    status: given("True, False or Unknown."),
    lastTransitionTime: s.dateTime().describe("Since when.").optional(),
    reason: text("Why, in one word."),
    message: text("Why, for people."),
    observedGeneration: s.int64().describe("The generation it is about.").optional(),
  });
  return {
    acceptedNames: names("The names it has got.").optional(),
    conditions: s.array(condition).keyedBy("type").describe("How far it is.").optional(),
    observedGeneration: s.int64().describe("The generation that this status is about.").optional(),
    storedVersions: texts("Versions that objects may still be stored in."),
  };
}
