import type { ServiceSpec } from "@levelset/core";
import type { Unvalidated } from "../../unvalidated.ts";

/** Properties derived from the type of a service. */

type LooseSpec = Unvalidated<ServiceSpec>;

/** Returns whether the service is headless. */
export function isHeadless(spec: LooseSpec): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === "None";
}

/** Returns whether the type uses a cluster IP. */
export function needsClusterIp(spec: LooseSpec): boolean {
  return spec.type !== "ExternalName";
}

/** Returns whether the type uses node ports. */
export function needsNodePorts(spec: LooseSpec): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

/** Returns whether the service needs a health check node port. */
export function needsHealthCheck(spec: LooseSpec): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

/** Returns whether the service is reachable from outside the cluster. */
export function isExternallyAccessible(spec: LooseSpec): boolean {
  return needsNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}
