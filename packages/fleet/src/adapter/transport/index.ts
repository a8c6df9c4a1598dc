export { KubernetesTransport } from "./kubernetes/kubernetes-transport.ts";
export type { KubernetesTransportOptions } from "./kubernetes/kubernetes-transport.ts";
export { TransportFailure } from "./transport.ts";
export type { AppliedAs, ApplyOptions, Mark, Target, Transport } from "./transport.ts";
