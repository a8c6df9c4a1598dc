import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { s, optionalBoolean, requiredString, quantity, optionalString } from "../field-builders.ts";

/** The fields of `ObjectReference`. */
export const objectReferenceFields = {
  apiVersion: optionalString("Group and version of the object."),
  kind: optionalString("Kind of the object."),
  namespace: optionalString("Namespace of the object."),
  name: optionalString("Name of the object."),
  uid: optionalString("Identity of the object, across objects of the same name."),
  resourceVersion: optionalString("resourceVersion of the referenced object."),
  fieldPath: optionalString("A part of the object, such as one container of a pod."),
};

/** A reference to an object; all fields are optional. */
export interface ObjectReference extends ObjectIn<typeof objectReferenceFields> {}

/** The schema of `ObjectReference`. */
export const objectReference: ObjectSchema<ObjectReference, ObjectReference> = s.object(objectReferenceFields).atomic();

const localObjectReferenceFields = { name: s.string().describe("Name of the object.").default("") };

/** A reference to an object in the same namespace. */
export interface LocalObjectReference extends ObjectIn<typeof localObjectReferenceFields> {}

/** The schema of `LocalObjectReference`. */
export const localObjectReference: ObjectSchema<LocalObjectReference, LocalObjectReference> = s
  .object(localObjectReferenceFields)
  .atomic();

const typedLocalObjectReferenceFields = {
  apiGroup: optionalString("Group of the kind; defaults to the core group."),
  kind: requiredString("Kind of the object."),
  name: requiredString("Name of the object."),
};

/** A typed reference to an object in the same namespace. */
export interface TypedLocalObjectReference extends ObjectIn<typeof typedLocalObjectReferenceFields> {}

/** The schema of `TypedLocalObjectReference`. */
export const typedLocalObjectReference: ObjectSchema<TypedLocalObjectReference, TypedLocalObjectReference> = s
  .object(typedLocalObjectReferenceFields)
  .atomic();

const typedObjectReferenceFields = {
  apiGroup: optionalString("Group of the kind; defaults to the core group."),
  kind: requiredString("Kind of the object."),
  name: requiredString("Name of the object."),
  namespace: optionalString(
    "Namespace of the object; defaults to the own namespace. Another namespace requires a ReferenceGrant.",
  ),
};

/** A typed reference to an object, optionally in another namespace. */
export interface TypedObjectReference extends ObjectIn<typeof typedObjectReferenceFields> {}

/** The schema of `TypedObjectReference`. */
export const typedObjectReference: ObjectSchema<TypedObjectReference, TypedObjectReference> =
  s.object(typedObjectReferenceFields);

const secretReferenceFields = {
  name: optionalString("Name of the secret."),
  namespace: optionalString("Namespace of the secret."),
};

/** A reference to a Secret in any namespace. */
export interface SecretReference extends ObjectIn<typeof secretReferenceFields> {}

/** The schema of `SecretReference`. */
export const secretReference: ObjectSchema<SecretReference, SecretReference> = s.object(secretReferenceFields).atomic();

const configMapKeySelectorFields = {
  name: optionalString("Name of the config map."),
  key: requiredString("The key."),
  optional: optionalBoolean("Whether the config map or the key may be missing."),
};

/** One key of a config map. */
export interface ConfigMapKeySelector extends ObjectIn<typeof configMapKeySelectorFields> {}

/** The schema of `ConfigMapKeySelector`. */
export const configMapKeySelector: ObjectSchema<ConfigMapKeySelector, ConfigMapKeySelector> = s
  .object(configMapKeySelectorFields)
  .atomic();

const secretKeySelectorFields = {
  name: optionalString("Name of the secret."),
  key: requiredString("The key."),
  optional: optionalBoolean("Whether the secret or the key may be missing."),
};

/** One key of a secret. */
export interface SecretKeySelector extends ObjectIn<typeof secretKeySelectorFields> {}

/** The schema of `SecretKeySelector`. */
export const secretKeySelector: ObjectSchema<SecretKeySelector, SecretKeySelector> = s
  .object(secretKeySelectorFields)
  .atomic();

const objectFieldSelectorFields = {
  apiVersion: optionalString("The version in which the path is written; defaults to v1."),
  fieldPath: requiredString("The path, such as metadata.name or status.podIP."),
};

/** One field of the pod itself. */
export interface ObjectFieldSelector extends ObjectIn<typeof objectFieldSelectorFields> {}

/** The schema of `ObjectFieldSelector`. */
export const objectFieldSelector: ObjectSchema<ObjectFieldSelector, ObjectFieldSelector> = s
  .object(objectFieldSelectorFields)
  .atomic();

const resourceFieldSelectorFields = {
  containerName: optionalString("The container; needed in volumes."),
  resource: requiredString("The amount, such as limits.cpu."),
  divisor: quantity("The unit to express the amount in; defaults to 1."),
};

/** A resource request or limit of a container. */
export interface ResourceFieldSelector extends ObjectIn<typeof resourceFieldSelectorFields> {}

/** The schema of `ResourceFieldSelector`. */
export const resourceFieldSelector: ObjectSchema<ResourceFieldSelector, ResourceFieldSelector> = s
  .object(resourceFieldSelectorFields)
  .atomic();
