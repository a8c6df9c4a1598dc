import type { ServicePort, ServiceSpec } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../../../resource/index.ts";
import {
  enumErrors,
  cidrErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  endpointIpErrors,
  ipErrors,
  isEmptyString,
  optionalEnumErrors,
  portErrors,
  portNumberErrors,
  PROTOCOLS,
  qualifiedNameErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { labelsErrors } from "../selector.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { addressFieldErrors } from "./address-fields.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheck } from "./service-type.ts";

type LooseSpec = Unvalidated<ServiceSpec>;
type Ports = readonly Unvalidated<ServicePort>[];

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const AFFINITY_SECONDS_MAX = 86_400;
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Validates the spec of a service. */
export function* serviceSpecErrors(spec: LooseSpec): FieldErrors {
  const { ports = [], type = "" } = spec;
  if (ports.length === 0 && !isHeadless(spec) && type !== "ExternalName") yield requiredField("spec.ports");
  yield* typeErrors(spec);
  yield* portsErrors(ports);
  yield* labelsErrors("spec.selector", spec.selector);
  yield* affinityErrors(spec);
  yield* addressFieldErrors(spec);
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    const errors = [...ipErrors(`spec.externalIPs[${index}]`, address)];
    yield* errors.length > 0 ? errors : endpointIpErrors(`spec.externalIPs[${index}]`, address);
  }
  yield* enumErrors("spec.type", type, TYPES);
  yield* nodePortErrors(ports, type);
  yield* repeatedPortErrors(ports);
  yield* balancerErrors(spec);
  yield* trafficErrors(spec);
}

function* typeErrors(spec: LooseSpec): FieldErrors {
  const { type, externalName = "" } = spec;
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    yield invalidField("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`);
  }
  if (type !== "ExternalName") return;
  const why = "may not be set for ExternalName services";
  if ((spec.clusterIPs ?? []).length > 0) yield forbiddenField("spec.clusterIPs", why);
  if ((spec.ipFamilies ?? []).length > 0) yield forbiddenField("spec.ipFamilies", why);
  if (spec.ipFamilyPolicy !== undefined) yield forbiddenField("spec.ipFamilyPolicy", why);
  const name = externalName.replace(/\.$/u, "");
  if (name === "") yield requiredField("spec.externalName");
  else yield* dnsSubdomainErrors("spec.externalName", name);
}

function* portsErrors(ports: Ports): FieldErrors {
  const names = new Set<string>();
  for (const [index, { name, port = 0, protocol, targetPort, appProtocol }] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    if (!isEmptyString(name)) {
      yield* dnsLabelErrors(`${at}.name`, name);
      if (names.has(name)) yield duplicateField(`${at}.name`, name);
      names.add(name);
    } else if (ports.length > 1) yield requiredField(`${at}.name`);
    yield* portNumberErrors(`${at}.port`, port);
    yield* enumErrors(`${at}.protocol`, protocol, PROTOCOLS);
    yield* portErrors(`${at}.targetPort`, targetPort);
    if (appProtocol !== undefined) yield* qualifiedNameErrors(`${at}.appProtocol`, appProtocol);
  }
}

function* affinityErrors(spec: LooseSpec): FieldErrors {
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  yield* enumErrors("spec.sessionAffinity", sessionAffinity, ["ClientIP", "None"]);
  if (sessionAffinity !== "ClientIP") return;
  const seconds = config?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= AFFINITY_SECONDS_MAX) return;
  const why = `must be greater than 0 and less than ${AFFINITY_SECONDS_MAX}`;
  yield invalidField("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, why);
}

function* nodePortErrors(ports: Ports, type: string): FieldErrors {
  const taken = new Set<string>();
  for (const [index, { nodePort = 0 }] of ports.entries()) {
    if (nodePort === 0 || type !== "ClusterIP") continue;
    yield forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'");
  }
  for (const [index, { nodePort = 0, protocol = "" }] of ports.entries()) {
    if (nodePort === 0) continue;
    const key = `${protocol}/${nodePort}`;
    if (taken.has(key)) yield duplicateField(`spec.ports[${index}].nodePort`, nodePort);
    taken.add(key);
  }
}

function* repeatedPortErrors(ports: Ports): FieldErrors {
  const taken = new Set<string>();
  for (const [index, { port = 0, protocol = "" }] of ports.entries()) {
    const key = `${protocol}/${port}`;
    // The error shows only the compared fields (pkg/apis/core/validation/validation.go, Kubernetes 1.36).
    if (taken.has(key)) yield duplicateField(`spec.ports[${index}]`, { protocol, port, targetPort: 0 });
    taken.add(key);
  }
}

function* balancerErrors(spec: LooseSpec): FieldErrors {
  const only = "may only be used when `type` is 'LoadBalancer'";
  const isBalanced = spec.type === "LoadBalancer";
  const { loadBalancerSourceRanges: ranges = [], loadBalancerClass } = spec;
  if (ranges.length > 0 && !isBalanced) yield forbiddenField("spec.LoadBalancerSourceRanges", only);
  for (const [index, range] of ranges.entries()) {
    yield* cidrErrors(`spec.LoadBalancerSourceRanges[${index}]`, range.trim());
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalanced) {
    yield forbiddenField("spec.allocateLoadBalancerNodePorts", only);
  }
  if (loadBalancerClass === undefined) return;
  if (isBalanced) yield* qualifiedNameErrors("spec.loadBalancerClass", loadBalancerClass);
  else yield forbiddenField("spec.loadBalancerClass", only);
}

function* trafficErrors(spec: LooseSpec): FieldErrors {
  const { externalTrafficPolicy: external, healthCheckNodePort: port = 0, trafficDistribution } = spec;
  if (isExternallyAccessible(spec)) yield* enumErrors("spec.externalTrafficPolicy", external, ["Cluster", "Local"]);
  else if (!isEmptyString(external)) {
    yield invalidField("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services");
  }
  if (needsHealthCheck(spec)) yield* portNumberErrors("spec.healthCheckNodePort", port);
  else if (port !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    yield invalidField("spec.healthCheckNodePort", port, why);
  }
  yield* optionalEnumErrors("spec.internalTrafficPolicy", spec.internalTrafficPolicy, ["Cluster", "Local"]);
  if (trafficDistribution !== undefined && !DISTRIBUTIONS.includes(trafficDistribution)) {
    yield unsupportedField("spec.trafficDistribution", trafficDistribution, DISTRIBUTIONS);
  }
}
