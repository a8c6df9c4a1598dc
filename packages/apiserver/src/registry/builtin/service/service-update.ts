import { deepEqual } from "@levelset/core";
import type { ServiceSpec } from "@levelset/core";
import { forbiddenField, invalidField } from "../../field.ts";
import { isBlank } from "../check.ts";
import type { Errors } from "../check.ts";
import { present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { isExternal, isHeadless, needsAddress, needsHealthCheck, needsNodePorts } from "./service-type.ts";

/** How a service changes: what it got stays, unless its new type has no use for it. */

type LooseSpec = Loose<ServiceSpec>;

/** The new spec with what the service got before, where a writer left it out. */
export function withAllocated(next: LooseSpec, old: LooseSpec): LooseSpec {
  const keepsAddress = needsAddress(old) && needsAddress(next);
  const address = keepsAddress && isBlank(next.clusterIP) ? old.clusterIP : next.clusterIP;
  const addresses = keepsAddress && (next.clusterIPs ?? []).length === 0 ? old.clusterIPs : next.clusterIPs;
  const isMoved = address !== old.clusterIP && deepEqual(addresses, old.clusterIPs);
  return present({
    ...next,
    clusterIP: address,
    clusterIPs: isMoved ? (isBlank(address) ? undefined : [address]) : addresses,
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

/** The new spec without what its type has no use for, as long as the writer only carried it over. */
export function withoutUnused(next: LooseSpec, old: LooseSpec): LooseSpec {
  let spec = next;
  const drop = (field: keyof LooseSpec): void => {
    if (deepEqual(next[field], old[field])) spec = present({ ...spec, [field]: undefined });
  };
  if (needsAddress(old) && !needsAddress(next)) {
    for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"] as const)
      drop(field);
  }
  if (needsNodePorts(old) && !needsNodePorts(next)) {
    const before = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort));
    const isSame = (next.ports ?? []).every(({ nodePort = 0 }) => nodePort === 0 || before.has(nodePort));
    if (isSame) spec = present({ ...spec, ports: spec.ports?.map(({ nodePort: _port, ...rest }) => rest) });
  }
  if (needsHealthCheck(old) && !needsHealthCheck(next)) drop("healthCheckNodePort");
  if (old.type === "LoadBalancer" && next.type !== "LoadBalancer") {
    for (const field of ["allocateLoadBalancerNodePorts", "loadBalancerClass"] as const) drop(field);
  }
  if (isExternal(old) && !isExternal(next)) drop("externalTrafficPolicy");
  return spec;
}

/** Everything wrong with a change of a service. */
export function* serviceUpdateErrors(next: LooseSpec, old: LooseSpec): Errors {
  if (needsAddress(next) && needsAddress(old)) {
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

function* addressChangeErrors(next: LooseSpec, old: LooseSpec): Errors {
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

function* familyChangeErrors(next: LooseSpec, old: LooseSpec): Errors {
  const [family] = next.ipFamilies ?? [];
  const [before] = old.ipFamilies ?? [];
  if (family === undefined || before === undefined || family === before) return;
  yield invalidField("spec.ipFamilies[0]", next.ipFamilies, "may not change once set");
}
