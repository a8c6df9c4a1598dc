import type { EndpointSlice as EndpointSliceKind, ObjectOf, Service as ServiceKind } from "@levelset/core";
import { compareByCreationTime, isPodFinished, isPodReady } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";

/** A stored service. */
export type Service = ObjectOf<typeof ServiceKind>;
/** A stored endpoint slice. */
export type EndpointSlice = ObjectOf<typeof EndpointSliceKind>;

type ServicePort = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

/** A port of an endpoint. */
export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** Pods of a service that share the same resolved ports. */
export interface PodGroup {
  readonly ports: readonly EndpointPort[];
  readonly pods: readonly Pod[];
}

/** Whether a pod can be an endpoint. */
function isReachable(pod: Pod): boolean {
  return (pod.status?.podIP ?? "") !== "" && !isPodFinished(pod);
}

/** Returns the pods of a service, grouped by resolved ports. */
export function podGroups(service: Service, pods: readonly Pod[]): readonly PodGroup[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly pods: Pod[] }>();
  for (const pod of pods.filter(isReachable).toSorted(compareByCreationTime)) {
    const ports = (service.spec?.ports ?? []).flatMap((port) => endpointPort(port, pod) ?? []);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    group.pods.push(pod);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function endpointPort(port: ServicePort, pod: Pod): EndpointPort | undefined {
  const { name, protocol = "TCP", appProtocol, targetPort } = port;
  const number = typeof targetPort === "string" ? namedPort(pod, targetPort, protocol) : (targetPort ?? port.port);
  if (number === undefined) return undefined;
  return {
    ...(name === undefined ? {} : { name }),
    port: number,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  };
}

function namedPort(pod: Pod, name: string, protocol: string): number | undefined {
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name && (port.protocol ?? "TCP") === protocol)?.containerPort;
}

/** Whether a pod receives requests of a service. */
export function shouldBeInEndpoints(service: Service, pod: Pod): boolean {
  if (service.spec?.publishNotReadyAddresses === true) return true;
  return isPodReady(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Returns a pod as an endpoint of a slice. */
export function endpointOf(service: Service, pod: Pod): NonNullable<EndpointSlice["endpoints"]>[number] {
  const isServing = isPodReady(pod) || service.spec?.publishNotReadyAddresses === true;
  const isGoing = pod.metadata.deletionTimestamp !== undefined;
  const { hostname, subdomain, nodeName } = pod.spec ?? {};
  return {
    addresses: [pod.status?.podIP ?? ""],
    conditions: { ready: shouldBeInEndpoints(service, pod), serving: isServing, terminating: isGoing },
    ...(hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: targetOf(pod),
  };
}

/** Returns a pod as an address of Endpoints. */
export function endpointAddressOf(service: Service, pod: Pod): Readonly<Record<string, unknown>> {
  const { hostname, subdomain, nodeName } = pod.spec ?? {};
  return {
    ip: pod.status?.podIP ?? "",
    ...(hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: targetOf(pod),
  };
}

function targetOf({ metadata }: Pod): {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
} {
  const { name, namespace = "", uid } = metadata;
  return { kind: "Pod", name, namespace, uid };
}
