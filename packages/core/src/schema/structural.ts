import type { JsonValue } from "../json/index.ts";

/**
 * Constraints on a value without its shape, as allowed inside `anyOf`, `oneOf`, `allOf` and `not` of a structural
 * schema. Types, defaults and descriptions are not allowed there.
 */
export interface ValueRules {
  readonly properties?: Readonly<Record<string, ValueRules>>;
  readonly required?: readonly string[];
  readonly items?: ValueRules;
  readonly format?: string;
  readonly enum?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly ValueRules[];
  readonly oneOf?: readonly ValueRules[];
  readonly allOf?: readonly ValueRules[];
  readonly not?: ValueRules;
}

/** A CEL rule (`x-kubernetes-validations`): `self` is the value, `oldSelf` the value before an update. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A Kubernetes structural schema: the subset of OpenAPI v3 allowed in a CustomResourceDefinition. */
export interface StructuralSchema extends Omit<ValueRules, "properties" | "items"> {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
  /** Built-in kinds: the strategy of strategic merge patches: `merge`, `replace`, `retainKeys`, or several of them. */
  readonly "x-kubernetes-patch-strategy"?: string;
  /** Built-in kinds: the field that identifies list items in strategic merge patches. */
  readonly "x-kubernetes-patch-merge-key"?: string;
}

/** Returns the schema of a key of an object: that of its property, else that of additional properties. */
export function propertySchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return schema.additionalProperties;
}
