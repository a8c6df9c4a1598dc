import type { NewOf, Service, ServicePort, ServiceSpec } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../field.ts";
import { dnsLabelProblems } from "../../names.ts";
import type { KindRules, RuleContext } from "../../rules.ts";
import { dnsSubdomainErrors, ipErrors, isBlank } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { or } from "../pod/defaults.ts";
import { addressed } from "./addressed.ts";
import type { Asking } from "./addressed.ts";
import { holdingsOf, takenBesides } from "./allocation.ts";
import { serviceSpecErrors } from "./service-spec.ts";
import { isExternal } from "./service-type.ts";
import { serviceUpdateErrors, withAllocated, withoutUnused } from "./service-update.ts";

type LooseSpec = Loose<ServiceSpec>;
type LooseStatus = Loose<NonNullable<NewOf<typeof Service>["status"]>>;

const THREE_HOURS = 10_800;

/** Services: they get an address that stays, and ports on nodes if their type asks for them. */
export const serviceRules: KindRules = {
  emptyStatus: { loadBalancer: {} },
  nameProblems: dnsLabelProblems,
  defaults: (draft) => {
    const spec = defaults(fieldOf<ServiceSpec>(draft, "spec") ?? {});
    const status = fieldOf<LooseStatus>(draft, "status");
    return { ...draft, spec, ...(status === undefined ? {} : { status: statusDefaults(status, spec) }) };
  },
  prepareCreate: (object, context) => {
    const spec = specOf(object);
    return { ...object, spec: addressed(withAddressList(spec), asking(object, undefined, context)) };
  },
  prepareUpdate: (object, old, context) => {
    const before = specOf(old);
    const spec = withoutUnused(
      addressed(withAllocated(specOf(object), before), asking(object, before, context)),
      before,
    );
    return {
      ...object,
      spec,
      ...(spec.type === "LoadBalancer" ? {} : { status: { ...statusOf(object), loadBalancer: {} } }),
    };
  },
  validate: function* (object, old) {
    const spec = specOf(object);
    if (old !== undefined) yield* serviceUpdateErrors(spec, specOf(old));
    yield* serviceSpecErrors(spec);
  },
  validateStatus: (object) => statusErrors(statusOf(object), specOf(object)),
};

function specOf(object: ApiObject): LooseSpec {
  return fieldOf<ServiceSpec>(object, "spec") ?? {};
}

function statusOf(object: ApiObject): LooseStatus {
  return fieldOf<LooseStatus>(object, "status") ?? {};
}

function asking(object: ApiObject, old: LooseSpec | undefined, context: RuleContext): Asking {
  const { namespace = "", name, uid } = object.metadata;
  return { name, key: `${namespace}/${name}`, taken: takenBesides(uid, context.held("services", holdingsOf)), old };
}

function withAddressList(spec: LooseSpec): LooseSpec {
  const { clusterIP, clusterIPs = [] } = spec;
  return isBlank(clusterIP) || clusterIPs.length > 0 ? spec : { ...spec, clusterIPs: [clusterIP] };
}

function defaults(spec: LooseSpec): LooseSpec {
  const type = or(spec.type, "ClusterIP");
  const affinity = or(spec.sessionAffinity, "None");
  const isKnown = ["ClusterIP", "NodePort", "LoadBalancer"].includes(type);
  const typed = { ...spec, type };
  return present({
    ...typed,
    sessionAffinity: affinity,
    sessionAffinityConfig: affinityConfig(affinity, spec.sessionAffinityConfig),
    ports: spec.ports?.map(portDefaults),
    externalTrafficPolicy: isBlank(spec.externalTrafficPolicy)
      ? isExternal(typed)
        ? "Cluster"
        : undefined
      : spec.externalTrafficPolicy,
    internalTrafficPolicy: spec.internalTrafficPolicy ?? (isKnown ? "Cluster" : undefined),
    allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? (type === "LoadBalancer" ? true : undefined),
  });
}

function affinityConfig(
  affinity: string,
  config: LooseSpec["sessionAffinityConfig"],
): LooseSpec["sessionAffinityConfig"] {
  if (affinity === "None") return undefined;
  if (affinity !== "ClientIP") return config;
  return { clientIP: { timeoutSeconds: config?.clientIP?.timeoutSeconds ?? THREE_HOURS } };
}

function portDefaults(port: Loose<ServicePort>): Loose<ServicePort> {
  const { targetPort } = port;
  const isAbsent = targetPort === undefined || targetPort === 0 || targetPort === "";
  return present({ ...port, protocol: or(port.protocol, "TCP"), targetPort: isAbsent ? port.port : targetPort });
}

function statusDefaults(status: LooseStatus, spec: LooseSpec): LooseStatus {
  const { ingress } = status.loadBalancer ?? {};
  if (spec.type !== "LoadBalancer" || ingress === undefined)
    return { ...status, loadBalancer: status.loadBalancer ?? {} };
  const filled = ingress.map((each) =>
    isBlank(each.ip) || each.ipMode !== undefined ? each : { ...each, ipMode: "VIP" },
  );
  return { ...status, loadBalancer: { ...status.loadBalancer, ingress: filled } };
}

function* statusErrors(status: LooseStatus, spec: LooseSpec): Errors {
  const at = "status.loadBalancer.ingress";
  const ingress = status.loadBalancer?.ingress ?? [];
  if (spec.type !== "LoadBalancer" && ingress.length > 0) {
    yield forbiddenField(at, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  for (const [index, { ip, ipMode, hostname }] of ingress.entries()) {
    const path = `${at}[${index}]`;
    if (!isBlank(ip)) yield* ipErrors(`${path}.ip`, ip);
    if (ipMode === undefined) {
      if (!isBlank(ip)) yield requiredField(`${path}.ipMode`, "must be specified when `ip` is set");
    } else if (isBlank(ip)) yield forbiddenField(`${path}.ipMode`, "may not be specified when `ip` is not set");
    else if (ipMode !== "VIP" && ipMode !== "Proxy") yield unsupportedField(`${path}.ipMode`, ipMode, ["Proxy", "VIP"]);
    if (isBlank(hostname)) continue;
    yield* dnsSubdomainErrors(`${path}.hostname`, hostname);
    if ([...ipErrors("", hostname)].length === 0) {
      yield invalidField(`${path}.hostname`, hostname, "must be a DNS name, not an IP address");
    }
  }
}
