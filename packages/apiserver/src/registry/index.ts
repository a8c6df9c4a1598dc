/** API semantics over a store: decoding, defaulting, validation and deletion of objects. Begin with `registry.ts`. */

export { ResourceCatalog } from "./resource-catalog.ts";
export { checkDuplicateFields } from "./decode.ts";
export type { FieldValidation } from "./decode.ts";
export { loadObjects } from "./load.ts";
export type { LoadProblem } from "./load.ts";
export { parsePatch, patchTypesOf } from "./patch.ts";
export type { Patcher } from "./patch.ts";
export { Registry } from "./registry.ts";
export type { RegistryOptions } from "./registry.ts";
export type { RegistryDeleteResult, RegistryWriteResult, WriteOptions } from "./write-options.ts";
export { versionedObjectOf } from "./versioned-object.ts";
export type { VersionedObject } from "./versioned-object.ts";
export { reviewObject } from "./review.ts";
export { bindPod } from "./subresource/binding.ts";
export { evictPod } from "./subresource/eviction.ts";
export { readPodLog } from "./subresource/log.ts";
export { getScale, SCALE_RESOURCE, updateScale } from "./subresource/scale.ts";
export { requestToken, TOKEN_REQUEST_RESOURCE } from "./subresource/token.ts";
export { checkJsonText, checkText, prefixOfBytes, unstorable } from "./text.ts";
export type { ResourceObjectRef } from "./resource-object-ref.ts";
