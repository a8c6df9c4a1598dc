import { invalidError } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import type { ServiceSpec } from "@levelset/core";
import { invalidField } from "../../../resource/index.ts";
import { isEmptyString } from "../../field-checks.ts";
import { omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { clusterIpProblem, nextClusterIp, nextNodePort, nodePortProblem, nodePortsOf } from "./allocation.ts";
import type { AllocatedValues } from "./allocation.ts";
import { addressFieldErrors } from "./address-fields.ts";
import { isHeadless, needsClusterIp, needsHealthCheck, needsNodePorts } from "./service-type.ts";

/** Allocation of cluster IPs and node ports. Only IPv4 is supported. */

type LooseSpec = Unvalidated<ServiceSpec>;

/** A pending write of a service. */
export interface ServiceAllocationRequest {
  readonly name: string;
  /** Seed of the allocation: the same key gets the same address and ports if they are free. */
  readonly key: string;
  readonly allocated: AllocatedValues;
  /** The stored spec; undefined for a new service. */
  readonly old: LooseSpec | undefined;
}

/** Fills in IP families, cluster IPs and node ports. Throws Invalid if a requested value is not available. */
export function allocateService(spec: LooseSpec, asking: ServiceAllocationRequest): LooseSpec {
  return withNodePorts(withAddresses(withFamilies(spec, asking), asking), asking);
}

function refuse(asking: ServiceAllocationRequest, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: "Service", group: "", name: asking.name }, errors);
}

function withFamilies(spec: LooseSpec, asking: ServiceAllocationRequest): LooseSpec {
  if (!needsClusterIp(spec)) return spec;
  const isFree = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  const policy = spec.ipFamilyPolicy ?? asking.old?.ipFamilyPolicy ?? (isFree ? "RequireDualStack" : "SingleStack");
  const chosen = { ...spec, ipFamilyPolicy: policy };
  refuse(asking, [...addressFieldErrors(chosen)]);
  refuse(asking, [...singleStackErrors(chosen)]);
  const { ipFamilies = [] } = spec;
  if (isFree) {
    const [first = "IPv4"] = ipFamilies;
    const both = [first, first === "IPv4" ? "IPv6" : "IPv4"];
    const isDual = policy !== "SingleStack" && ipFamilies.length < 2;
    return { ...chosen, ipFamilies: isDual ? both : ipFamilies.length === 0 ? [first] : ipFamilies };
  }
  const errors: FieldError[] = [];
  if (policy === "RequireDualStack") {
    errors.push(invalidField("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services"));
  }
  for (const [index, family] of ipFamilies.entries()) {
    if (family === "IPv4") continue;
    errors.push(invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
  }
  refuse(asking, errors);
  return { ...chosen, ipFamilies: ipFamilies.length === 0 ? ["IPv4"] : ipFamilies };
}

function* singleStackErrors(spec: LooseSpec): Generator<FieldError> {
  const { ipFamilyPolicy: policy, clusterIPs = [], ipFamilies = [] } = spec;
  const both = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (policy === "SingleStack") {
    if (clusterIPs.length === 2) yield invalidField("spec.ipFamilyPolicy", policy, `${both} cluster IPs are specified`);
    if (ipFamilies.length === 2) yield invalidField("spec.ipFamilyPolicy", policy, `${both} IP families are specified`);
  }
  for (const [index, address] of clusterIPs.entries()) {
    if (address === "None") return;
    if (index < ipFamilies.length || !address.includes(":")) continue;
    yield invalidField(`spec.clusterIPs[${index}]`, clusterIPs, "IPv6 is not configured on this cluster");
  }
}

function withAddresses(spec: LooseSpec, asking: ServiceAllocationRequest): LooseSpec {
  if (!needsClusterIp(spec) || isHeadless(spec)) return spec;
  const { clusterIPs = [] } = spec;
  const [given] = clusterIPs;
  if (isEmptyString(given)) {
    const address = nextClusterIp(asking.key, asking.allocated);
    if (address === undefined) throw full(asking, "a serviceIP", "range is full");
    return { ...spec, clusterIP: address, clusterIPs: [address] };
  }
  // Validation checks whether the address can change.
  if (asking.old?.clusterIPs?.includes(given) === true) return spec;
  const problem =
    asking.old === undefined || isEmptyString(asking.old.clusterIPs?.[0])
      ? clusterIpProblem(given, asking.allocated)
      : undefined;
  if (problem !== undefined) {
    refuse(asking, [invalidField("spec.clusterIPs", clusterIPs, `failed to allocate IP ${given}: ${problem}`)]);
  }
  return spec;
}

function withNodePorts(spec: LooseSpec, asking: ServiceAllocationRequest): LooseSpec {
  if (!needsNodePorts(spec)) return spec;
  const held = new Set(asking.old === undefined ? [] : nodePortsOf(asking.old));
  const own = new Set<number>();
  const take = (index: number): number => {
    const requested = new Set([...own, ...nodePortsOf(spec)]);
    const hasNodePort = (each: number): boolean => requested.has(each) || asking.allocated.hasNodePort(each);
    const port = nextNodePort(`${asking.key}:${index}`, { ...asking.allocated, hasNodePort });
    if (port === undefined) throw full(asking, "a nodePort", "range is full");
    own.add(port);
    return port;
  };
  const byNumber = new Map<number, number>();
  const ports = spec.ports?.map((port, index) => {
    const { nodePort = 0, port: number = 0 } = port;
    if (nodePort !== 0) {
      const problem = held.has(nodePort) ? undefined : nodePortProblem(nodePort, asking.allocated);
      if (problem !== undefined) refuse(asking, [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)]);
      byNumber.set(number, nodePort);
      return port;
    }
    if (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts === false) return port;
    // The same port number with two protocols shares one node port.
    const made = byNumber.get(number) ?? take(index);
    byNumber.set(number, made);
    return { ...port, nodePort: made };
  });
  const needsPort = needsHealthCheck(spec) && (spec.healthCheckNodePort ?? 0) === 0;
  return omitUndefined({ ...spec, ports, ...(needsPort ? { healthCheckNodePort: take(-1) } : {}) });
}

function full(asking: ServiceAllocationRequest, what: string, why: string): StatusError {
  return new StatusError(
    "InternalError",
    `Internal error occurred: failed to allocate ${what} for Service "${asking.name}": ${why}`,
  );
}
