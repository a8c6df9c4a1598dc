import type { EndpointSlice as EndpointSliceKind, ObjectOf, Service as ServiceKind } from "@levelset/core";
import { byAge, isFinished, isPodReady } from "./pod.ts";
import type { Pod } from "./pod.ts";

/** A service as the server keeps it. */
export type Service = ObjectOf<typeof ServiceKind>;
/** An endpoint slice as the server keeps it. */
export type EndpointSlice = ObjectOf<typeof EndpointSliceKind>;

type ServicePort = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

/** A port of an endpoint. */
export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** The pods behind a service, and the ports that they are reached at. Pods with the same ports are together. */
export interface PodGroup {
  readonly ports: readonly EndpointPort[];
  readonly pods: readonly Pod[];
}

/** Whether a pod can be behind a service at all. */
function isReachable(pod: Pod): boolean {
  return (pod.status?.podIP ?? "") !== "" && !isFinished(pod);
}

/** The pods of a service, grouped by the ports that its port names mean to each. */
export function podGroups(service: Service, pods: readonly Pod[]): readonly PodGroup[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly pods: Pod[] }>();
  for (const pod of pods.filter(isReachable).toSorted(byAge)) {
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

/** Whether a pod takes requests of a service. */
export function takesRequests(service: Service, pod: Pod): boolean {
  if (service.spec?.publishNotReadyAddresses === true) return true;
  return isPodReady(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** A pod as an endpoint of a slice. */
export function endpointOf(service: Service, pod: Pod): NonNullable<EndpointSlice["endpoints"]>[number] {
  const isServing = isPodReady(pod) || service.spec?.publishNotReadyAddresses === true;
  const isGoing = pod.metadata.deletionTimestamp !== undefined;
  const { hostname, subdomain, nodeName } = pod.spec ?? {};
  return {
    addresses: [pod.status?.podIP ?? ""],
    conditions: { ready: takesRequests(service, pod), serving: isServing, terminating: isGoing },
    ...(hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: targetOf(pod),
  };
}

/** A pod as a subset of Endpoints names it. */
export function addressOf(service: Service, pod: Pod): Readonly<Record<string, unknown>> {
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
