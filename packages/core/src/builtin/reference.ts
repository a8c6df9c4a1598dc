import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { flag, given, quantity, s, text } from "./field.ts";

/** The fields of `ObjectReference`. */
export const objectReferenceFields = {
  apiVersion: text("Group and version of the object."),
  kind: text("Kind of the object."),
  namespace: text("Namespace of the object."),
  name: text("Name of the object."),
  uid: text("Identity of the object, across objects of the same name."),
  resourceVersion: text("The version of the object that is meant."),
  fieldPath: text("A part of the object, such as one container of a pod."),
};

/** A pointer to any object, as exact as its writer cared to be. */
export interface ObjectReference extends ObjectIn<typeof objectReferenceFields> {}

/** The schema of `ObjectReference`. */
export const objectReference: ObjectSchema<ObjectReference, ObjectReference> = s.object(objectReferenceFields).atomic();

const localObjectReferenceFields = { name: s.string().describe("Name of the object.").default("") };

/** A pointer to an object in the same namespace. */
export interface LocalObjectReference extends ObjectIn<typeof localObjectReferenceFields> {}

/** The schema of `LocalObjectReference`. */
export const localObjectReference: ObjectSchema<LocalObjectReference, LocalObjectReference> = s
  .object(localObjectReferenceFields)
  .atomic();

const typedLocalObjectReferenceFields = {
  apiGroup: text("Group of the kind; the core group unless given."),
  kind: given("Kind of the object."),
  name: given("Name of the object."),
};

/** A pointer to an object of a named kind in the same namespace. */
export interface TypedLocalObjectReference extends ObjectIn<typeof typedLocalObjectReferenceFields> {}

/** The schema of `TypedLocalObjectReference`. */
export const typedLocalObjectReference: ObjectSchema<TypedLocalObjectReference, TypedLocalObjectReference> = s
  .object(typedLocalObjectReferenceFields)
  .atomic();

const typedObjectReferenceFields = {
  apiGroup: text("Group of the kind; the core group unless given."),
  kind: given("Kind of the object."),
  name: given("Name of the object."),
  namespace: text("Namespace of the object; its own unless given. Crossing namespaces needs a grant."),
};

/** A pointer to an object of a named kind, perhaps in another namespace. */
export interface TypedObjectReference extends ObjectIn<typeof typedObjectReferenceFields> {}

/** The schema of `TypedObjectReference`. */
export const typedObjectReference: ObjectSchema<TypedObjectReference, TypedObjectReference> =
  s.object(typedObjectReferenceFields);

const secretReferenceFields = { name: text("Name of the secret."), namespace: text("Namespace of the secret.") };

/** A pointer to a secret in any namespace. */
export interface SecretReference extends ObjectIn<typeof secretReferenceFields> {}

/** The schema of `SecretReference`. */
export const secretReference: ObjectSchema<SecretReference, SecretReference> = s.object(secretReferenceFields).atomic();

const configMapKeySelectorFields = {
  name: text("Name of the config map."),
  key: given("The key."),
  optional: flag("Whether the config map or the key may be missing."),
};

/** One key of a config map. */
export interface ConfigMapKeySelector extends ObjectIn<typeof configMapKeySelectorFields> {}

/** The schema of `ConfigMapKeySelector`. */
export const configMapKeySelector: ObjectSchema<ConfigMapKeySelector, ConfigMapKeySelector> = s
  .object(configMapKeySelectorFields)
  .atomic();

const secretKeySelectorFields = {
  name: text("Name of the secret."),
  key: given("The key."),
  optional: flag("Whether the secret or the key may be missing."),
};

/** One key of a secret. */
export interface SecretKeySelector extends ObjectIn<typeof secretKeySelectorFields> {}

/** The schema of `SecretKeySelector`. */
export const secretKeySelector: ObjectSchema<SecretKeySelector, SecretKeySelector> = s
  .object(secretKeySelectorFields)
  .atomic();

const objectFieldSelectorFields = {
  apiVersion: text("The version in which the path is written; v1 unless given."),
  fieldPath: given("The path, such as metadata.name or status.podIP."),
};

/** One field of the pod itself. */
export interface ObjectFieldSelector extends ObjectIn<typeof objectFieldSelectorFields> {}

/** The schema of `ObjectFieldSelector`. */
export const objectFieldSelector: ObjectSchema<ObjectFieldSelector, ObjectFieldSelector> = s
  .object(objectFieldSelectorFields)
  .atomic();

const resourceFieldSelectorFields = {
  containerName: text("The container; needed in volumes."),
  resource: given("The amount, such as limits.cpu."),
  divisor: quantity("The unit to express the amount in; 1 unless given."),
};

/** One of a container's resource amounts. */
export interface ResourceFieldSelector extends ObjectIn<typeof resourceFieldSelectorFields> {}

/** The schema of `ResourceFieldSelector`. */
export const resourceFieldSelector: ObjectSchema<ResourceFieldSelector, ResourceFieldSelector> = s
  .object(resourceFieldSelectorFields)
  .atomic();
