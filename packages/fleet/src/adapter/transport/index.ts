/** Where an adapter's objects live: clusters, or Maestro. Begin with `transport.ts`. */

export { ContestedFailure } from "./contested-failure.ts";
export { GENERATION_ANNOTATION, generationOf } from "./generation.ts";
export { KubernetesTransport } from "./kubernetes/kubernetes-transport.ts";
export type { KubernetesTransportOptions } from "./kubernetes/kubernetes-transport.ts";
export type { Mark } from "./marks.ts";
export { describeObject, isClaimed, NotOurs, ownershipOf } from "./ownership.ts";
export type { Claim, Ownership } from "./ownership.ts";
export type { AppliedAs, ApplyOptions, RemoveOptions, Target, Transport } from "./transport.ts";
export { TransportFailure } from "./transport-failure.ts";
export { MaestroError } from "./maestro/maestro-client.ts";
export type { MaestroClient, MaestroReason, WorkPreconditions } from "./maestro/maestro-client.ts";
export { MaestroTransport } from "./maestro/maestro-transport.ts";
