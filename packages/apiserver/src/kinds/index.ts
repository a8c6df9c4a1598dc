/** All that the server adds to the built-in kinds, one file for each kind. Begin with `builtin-resources.ts`. */

export { BUILTIN_RESOURCES } from "./builtin-resources.ts";
export { CRD_CLEANUP_FINALIZER, withTerminatingCondition } from "./apiextensions/crd-deletion.ts";
export {
  asCrd,
  crdResource,
  hasNameConflict,
  isEstablished,
  withAcceptedNames,
} from "./apiextensions/custom-resource-definition.ts";
export { bindingResource } from "./core/binding.ts";
export { INITIAL_NAMESPACES, finalizeNamespace, hasContentFinalizer, namespaceResource } from "./core/namespace.ts";
