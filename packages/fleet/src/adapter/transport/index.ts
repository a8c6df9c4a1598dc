/** Where an adapter's objects live: clusters, or Maestro. Begin with `transport.ts`. */

export { GENERATION_ANNOTATION, generationOf } from "./generation.ts";
export { KubernetesTransport } from "./kubernetes/kubernetes-transport.ts";
export type { KubernetesTransportOptions } from "./kubernetes/kubernetes-transport.ts";
export { TransportFailure } from "./transport.ts";
export type { AppliedAs, ApplyOptions, Mark, Target, Transport } from "./transport.ts";
export { MaestroError } from "./maestro/maestro-client.ts";
export type { MaestroClient, MaestroReason } from "./maestro/maestro-client.ts";
export { MaestroTransport } from "./maestro/maestro-transport.ts";
