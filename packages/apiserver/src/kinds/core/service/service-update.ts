import { deepEqual } from "@levelset/core/internal";
import type { ServiceSpec } from "@levelset/core";
import { forbiddenField, invalidField } from "../../../resource/index.ts";
import { isEmptyString } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import {
  isExternallyAccessible,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
} from "./service-type.ts";

/** Updates of services (`pkg/registry/core/service/strategy.go`, Kubernetes 1.36). */

type LooseSpec = Unvalidated<ServiceSpec>;

/** Copies allocated values of the old spec that the update omits. */
export function patchAllocatedValues(next: LooseSpec, old: LooseSpec): LooseSpec {
  const keepsAddress = needsClusterIp(old) && needsClusterIp(next);
  const address = keepsAddress && isEmptyString(next.clusterIP) ? old.clusterIP : next.clusterIP;
  const addresses = keepsAddress && (next.clusterIPs ?? []).length === 0 ? old.clusterIPs : next.clusterIPs;
  const isMoved = address !== old.clusterIP && deepEqual(addresses, old.clusterIPs);
  return omitUndefined({
    ...next,
    clusterIP: address,
    clusterIPs: isMoved ? (isEmptyString(address) ? undefined : [address]) : addresses,
    ports: needsNodePorts(old) && needsNodePorts(next) ? withOldNodePorts(next.ports, old.ports) : next.ports,
    healthCheckNodePort:
      needsHealthCheck(old) && needsHealthCheck(next)
        ? (next.healthCheckNodePort ?? old.healthCheckNodePort)
        : next.healthCheckNodePort,
  });
}

function withOldNodePorts(next: LooseSpec["ports"], old: LooseSpec["ports"]): LooseSpec["ports"] {
  const byName = new Map((old ?? []).map(({ name = "", nodePort = 0 }) => [name, nodePort]));
  const given = new Set((next ?? []).map(({ nodePort = 0 }) => nodePort));
  return next?.map((port) => {
    const before = byName.get(port.name ?? "") ?? 0;
    return (port.nodePort ?? 0) === 0 && before !== 0 && !given.has(before) ? { ...port, nodePort: before } : port;
  });
}

/** Drops unchanged fields that the new type does not use. */
export function dropTypeDependentFields(next: LooseSpec, old: LooseSpec): LooseSpec {
  let spec = next;
  const drop = (field: keyof LooseSpec): void => {
    if (deepEqual(next[field], old[field])) spec = omitUndefined({ ...spec, [field]: undefined });
  };
  if (needsClusterIp(old) && !needsClusterIp(next)) {
    for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"] as const)
      drop(field);
  }
  if (needsNodePorts(old) && !needsNodePorts(next)) {
    const before = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort));
    const isSame = (next.ports ?? []).every(({ nodePort = 0 }) => nodePort === 0 || before.has(nodePort));
    if (isSame) spec = omitUndefined({ ...spec, ports: spec.ports?.map(({ nodePort: _port, ...rest }) => rest) });
  }
  if (needsHealthCheck(old) && !needsHealthCheck(next)) drop("healthCheckNodePort");
  if (old.type === "LoadBalancer" && next.type !== "LoadBalancer") {
    for (const field of ["allocateLoadBalancerNodePorts", "loadBalancerClass"] as const) drop(field);
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(next)) drop("externalTrafficPolicy");
  return spec;
}

/** Validates an update of a service. */
export function* serviceUpdateErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  if (needsClusterIp(next) && needsClusterIp(old)) {
    if (!(isHeadless(next) && isHeadless(old))) yield* addressChangeErrors(next, old);
    if (!isHeadless(next) && !isHeadless(old)) yield* familyChangeErrors(next, old);
  }
  const isBalanced = next.type === "LoadBalancer" && old.type === "LoadBalancer";
  if (isBalanced && next.loadBalancerClass !== old.loadBalancerClass) {
    yield invalidField("spec.loadBalancerClass", next.loadBalancerClass ?? null, "may not change once set");
  }
  if (needsHealthCheck(old) && needsHealthCheck(next) && next.healthCheckNodePort !== old.healthCheckNodePort) {
    yield forbiddenField("spec.healthCheckNodePort", "field is immutable");
  }
}

function* addressChangeErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  const { clusterIPs: addresses = [] } = next;
  const { clusterIPs: before = [] } = old;
  if (addresses.length === 0 && before.length > 0) {
    yield invalidField("spec.clusterIPs[0]", addresses, "primary clusterIP can not be unset");
  }
  const compared = addresses.length === before.length ? before : before.slice(0, Math.min(1, addresses.length));
  for (const [index, address] of compared.entries()) {
    if (addresses[index] === address) continue;
    yield invalidField(`spec.clusterIPs[${index}]`, addresses, "may not change once set");
  }
}

function* familyChangeErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  const [family] = next.ipFamilies ?? [];
  const [before] = old.ipFamilies ?? [];
  if (family === undefined || before === undefined || family === before) return;
  yield invalidField("spec.ipFamilies[0]", next.ipFamilies, "may not change once set");
}
