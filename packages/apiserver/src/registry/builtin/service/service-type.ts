import type { ServiceSpec } from "@levelset/core";
import type { Loose } from "../loose.ts";

/** What follows from the type of a service. */

type LooseSpec = Loose<ServiceSpec>;

/** Whether it has no address on purpose, so that DNS shows its pods. */
export function isHeadless(spec: LooseSpec): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === "None";
}

/** Whether it has an address of its own, or could have. */
export function needsAddress(spec: LooseSpec): boolean {
  return spec.type !== "ExternalName";
}

/** Whether nodes have ports for it. */
export function needsNodePorts(spec: LooseSpec): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

/** Whether load balancers must be told which nodes have pods. */
export function needsHealthCheck(spec: LooseSpec): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

/** Whether it can be reached from outside the cluster. */
export function isExternal(spec: LooseSpec): boolean {
  return needsNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}
