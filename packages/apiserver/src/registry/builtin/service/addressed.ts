import { invalidError, StatusError } from "@levelset/core";
import type { FieldError, ServiceSpec } from "@levelset/core";
import { invalidField } from "../../field.ts";
import { isBlank } from "../check.ts";
import { present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { addressProblem, freeAddress, freeNodePort, nodePortProblem, nodePortsOf } from "./allocation.ts";
import type { Taken } from "./allocation.ts";
import { addressFieldErrors } from "./address-fields.ts";
import { isHeadless, needsAddress, needsHealthCheck, needsNodePorts } from "./service-type.ts";

/** How a service gets its addresses and node ports. This server, like most clusters, has addresses of IPv4 only. */

type LooseSpec = Loose<ServiceSpec>;

/** A service that is about to be written. */
export interface Asking {
  readonly name: string;
  /** What its addresses are found by: the same service gets the same ones. */
  readonly key: string;
  readonly taken: Taken;
  /** The service as it is; absent for a new one. */
  readonly old: LooseSpec | undefined;
}

/** The spec with families, addresses and node ports filled in. Throws Invalid where what it asks for cannot be had. */
export function addressed(spec: LooseSpec, asking: Asking): LooseSpec {
  return withNodePorts(withAddresses(withFamilies(spec, asking), asking), asking);
}

function refuse(asking: Asking, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ kind: "Service", group: "", name: asking.name }, errors);
}

function withFamilies(spec: LooseSpec, asking: Asking): LooseSpec {
  if (!needsAddress(spec)) return spec;
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

function withAddresses(spec: LooseSpec, asking: Asking): LooseSpec {
  if (!needsAddress(spec) || isHeadless(spec)) return spec;
  const { clusterIPs = [] } = spec;
  const [given] = clusterIPs;
  if (isBlank(given)) {
    const address = freeAddress(asking.key, asking.taken);
    if (address === undefined) throw full(asking, "a serviceIP", "range is full");
    return { ...spec, clusterIP: address, clusterIPs: [address] };
  }
  // Whether an address may change at all is for validation to say.
  if (asking.old?.clusterIPs?.includes(given) === true) return spec;
  const problem =
    asking.old === undefined || isBlank(asking.old.clusterIPs?.[0]) ? addressProblem(given, asking.taken) : undefined;
  if (problem !== undefined) {
    refuse(asking, [invalidField("spec.clusterIPs", clusterIPs, `failed to allocate IP ${given}: ${problem}`)]);
  }
  return spec;
}

function withNodePorts(spec: LooseSpec, asking: Asking): LooseSpec {
  if (!needsNodePorts(spec)) return spec;
  const held = new Set(asking.old === undefined ? [] : nodePortsOf(asking.old));
  const own = new Set<number>();
  const take = (index: number): number => {
    const wanted = new Set([...own, ...nodePortsOf(spec)]);
    const hasNodePort = (each: number): boolean => wanted.has(each) || asking.taken.hasNodePort(each);
    const port = freeNodePort(`${asking.key}:${index}`, { ...asking.taken, hasNodePort });
    if (port === undefined) throw full(asking, "a nodePort", "range is full");
    own.add(port);
    return port;
  };
  const byNumber = new Map<number, number>();
  const ports = spec.ports?.map((port, index) => {
    const { nodePort = 0, port: number = 0 } = port;
    if (nodePort !== 0) {
      const problem = held.has(nodePort) ? undefined : nodePortProblem(nodePort, asking.taken);
      if (problem !== undefined) refuse(asking, [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)]);
      byNumber.set(number, nodePort);
      return port;
    }
    if (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts === false) return port;
    // One number over two protocols is one port on the node.
    const made = byNumber.get(number) ?? take(index);
    byNumber.set(number, made);
    return { ...port, nodePort: made };
  });
  const needsPort = needsHealthCheck(spec) && (spec.healthCheckNodePort ?? 0) === 0;
  return present({ ...spec, ports, ...(needsPort ? { healthCheckNodePort: take(-1) } : {}) });
}

function full(asking: Asking, what: string, why: string): StatusError {
  return new StatusError(
    "InternalError",
    `Internal error occurred: failed to allocate ${what} for Service "${asking.name}": ${why}`,
  );
}
