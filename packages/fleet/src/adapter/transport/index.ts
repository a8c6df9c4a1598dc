/** Transports for an adapter's objects: Kubernetes clusters and Maestro. Begin with `transport.ts`. */

export { ContestedObjectError } from "./contested-object-error.ts";
export { GENERATION_ANNOTATION, generationAnnotationOf } from "./generation.ts";
export { KubernetesTransport } from "./kubernetes/kubernetes-transport.ts";
export type { KubernetesTransportOptions } from "./kubernetes/kubernetes-transport.ts";
export type { OwnerInfo } from "./owner-labels.ts";
export { describeObject, isClaimed, NotOwnedError, ownershipOf } from "./ownership.ts";
export type { OwnerClaim, Ownership } from "./ownership.ts";
export type {
  TransportApplyResult,
  TransportApplyOptions,
  RemoveOptions,
  ObjectLocator,
  Transport,
} from "./transport.ts";
export { AdapterTransportError } from "./adapter-transport-error.ts";
export { MaestroError } from "./maestro/maestro-client.ts";
export type { MaestroClient, MaestroReason, WorkPreconditions } from "./maestro/maestro-client.ts";
export { MaestroTransport } from "./maestro/maestro-transport.ts";
