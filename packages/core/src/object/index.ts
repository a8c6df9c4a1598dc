/** What every object has: keys, versions, generations, owners, finalizers. Begin with `object.ts`. */

export {
  addFinalizerPatch,
  childFinalizerName,
  finalizerName,
  hasFinalizer,
  jobFinalizerName,
  removeFinalizerPatch,
} from "./finalizer.ts";
export { compareGenerations, describeGeneration, generationState, observedGenerationOf } from "./generation.ts";
export type { GenerationState, Observed } from "./generation.ts";
export { formatApiVersion, formatKey, keyOf, parseApiVersion, parseKey } from "./key.ts";
export type { ObjectKey } from "./key.ts";
export { isDeleting } from "./object.ts";
export type { KubeObject, ManagedFieldsEntry, NewMeta, ObjectMeta, OwnerReference } from "./object.ts";
export { ELSEWHERE_ANNOTATION, isElsewhere, managerOf, managerUid, markedOwner, ownerMark } from "./owner-mark.ts";
export type { ManagingOwner, MarkedOwner } from "./owner-mark.ts";
export { controllerOf, controllerReference, isOwnedBy, withOwner } from "./owner.ts";
export { compareResourceVersions } from "./version.ts";
