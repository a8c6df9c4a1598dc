/** Objects of any kind: keys, resource versions, generations, owners, finalizers. Begin with `object.ts`. */

export {
  addFinalizerPatch,
  childFinalizerName,
  finalizerName,
  hasFinalizer,
  jobFinalizerName,
  removeFinalizerPatch,
} from "./finalizer.ts";
export { compareGenerations, describeGeneration, generationState, observedGenerationOf } from "./generation.ts";
export type { GenerationState, ObjectWithObservedGeneration } from "./generation.ts";
export { formatApiVersion, formatKey, objectKeyOf, parseApiVersion, parseKey } from "./key.ts";
export type { ObjectKey } from "./key.ts";
export { isDeleting } from "./object.ts";
export type { KubeObject, ManagedFieldsEntry, NewMeta, ObjectMeta, OwnerReference } from "./object.ts";
export {
  REMOTE_OWNER_ANNOTATION,
  isRemoteOwner,
  managerOf,
  controllingOwnerUid,
  annotatedOwnerOf,
  ownerAnnotations,
  removeOwnerPatch,
  strippedOwnerUid,
} from "./owner-annotations.ts";
export type { ManagingOwner, AnnotatedOwner } from "./owner-annotations.ts";
export { controllerOf, controllerReference, isOwnedBy, withOwnerReference } from "./owner.ts";
export { isPaused, isSuspended, PAUSED_ANNOTATION } from "./paused.ts";
export { compareResourceVersions } from "./resource-version.ts";
