import type { NewOf, ServicePort, ServiceSpec, ObjectOf } from "@levelset/core";
import { Service } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  dnsLabelProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  loadBalancerText,
  labelsText,
  NONE_CELL,
  UNKNOWN_CELL,
  builtinResource,
  fieldLabels,
  fieldsAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import type { KindStrategy, StrategyContext, Printer, Resource } from "../../resource/index.ts";
import { dnsSubdomainErrors, ipErrors, isEmptyString } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { defaultIfEmpty } from "./pod/defaults.ts";
import { allocateService } from "./service/allocate-service.ts";
import type { ServiceAllocationRequest } from "./service/allocate-service.ts";
import { allocatedValuesOf, allocatedExcept } from "./service/allocation.ts";
import { serviceSpecErrors } from "./service/service-spec.ts";
import { isExternallyAccessible } from "./service/service-type.ts";
import { serviceUpdateErrors, patchAllocatedValues, dropTypeDependentFields } from "./service/service-update.ts";

type LooseSpec = Unvalidated<ServiceSpec>;

type LooseStatus = Unvalidated<NonNullable<NewOf<typeof Service>["status"]>>;

const THREE_HOURS = 10_800;

/** Strategy of Services: allocates cluster IPs and node ports. */
const serviceStrategy: KindStrategy = {
  returnDeletedObject: true,
  initialStatus: { loadBalancer: {} },
  nameProblems: dnsLabelProblems,
  defaults: (draft) => {
    const spec = defaults(unvalidatedField<ServiceSpec>(draft, "spec") ?? {});
    const status = unvalidatedField<LooseStatus>(draft, "status");
    return { ...draft, spec, ...(status === undefined ? {} : { status: statusDefaults(status, spec) }) };
  },
  prepareForCreate: (object, context) => {
    const spec = specOf(object);
    return { ...object, spec: allocateService(withAddressList(spec), asking(object, undefined, context)) };
  },
  prepareForUpdate: (object, old, context) => {
    const before = specOf(old);
    const spec = dropTypeDependentFields(
      allocateService(patchAllocatedValues(specOf(object), before), asking(object, before, context)),
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
  validateStatusUpdate: (object) => statusErrors(statusOf(object), specOf(object)),
};

function specOf(object: ApiObject): LooseSpec {
  return unvalidatedField<ServiceSpec>(object, "spec") ?? {};
}

function statusOf(object: ApiObject): LooseStatus {
  return unvalidatedField<LooseStatus>(object, "status") ?? {};
}

function asking(object: ApiObject, old: LooseSpec | undefined, context: StrategyContext): ServiceAllocationRequest {
  const { namespace = "", name, uid } = object.metadata;
  return {
    name,
    key: `${namespace}/${name}`,
    allocated: allocatedExcept(uid, context.isValueTaken("services", allocatedValuesOf)),
    old,
  };
}

function withAddressList(spec: LooseSpec): LooseSpec {
  const { clusterIP, clusterIPs = [] } = spec;
  return isEmptyString(clusterIP) || clusterIPs.length > 0 ? spec : { ...spec, clusterIPs: [clusterIP] };
}

function defaults(spec: LooseSpec): LooseSpec {
  const type = defaultIfEmpty(spec.type, "ClusterIP");
  const affinity = defaultIfEmpty(spec.sessionAffinity, "None");
  const isKnown = ["ClusterIP", "NodePort", "LoadBalancer"].includes(type);
  const typed = { ...spec, type };
  return omitUndefined({
    ...typed,
    sessionAffinity: affinity,
    sessionAffinityConfig: affinityConfig(affinity, spec.sessionAffinityConfig),
    ports: spec.ports?.map(portDefaults),
    externalTrafficPolicy: isEmptyString(spec.externalTrafficPolicy)
      ? isExternallyAccessible(typed)
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

function portDefaults(port: Unvalidated<ServicePort>): Unvalidated<ServicePort> {
  const { targetPort } = port;
  const isAbsent = targetPort === undefined || targetPort === 0 || targetPort === "";
  return omitUndefined({
    ...port,
    protocol: defaultIfEmpty(port.protocol, "TCP"),
    targetPort: isAbsent ? port.port : targetPort,
  });
}

function statusDefaults(status: LooseStatus, spec: LooseSpec): LooseStatus {
  const { ingress } = status.loadBalancer ?? {};
  if (spec.type !== "LoadBalancer" || ingress === undefined)
    return { ...status, loadBalancer: status.loadBalancer ?? {} };
  const filled = ingress.map((each) =>
    isEmptyString(each.ip) || each.ipMode !== undefined ? each : { ...each, ipMode: "VIP" },
  );
  return { ...status, loadBalancer: { ...status.loadBalancer, ingress: filled } };
}

function* statusErrors(status: LooseStatus, spec: LooseSpec): FieldErrors {
  const at = "status.loadBalancer.ingress";
  const ingress = status.loadBalancer?.ingress ?? [];
  if (spec.type !== "LoadBalancer" && ingress.length > 0) {
    yield forbiddenField(at, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  for (const [index, { ip, ipMode, hostname }] of ingress.entries()) {
    const path = `${at}[${index}]`;
    if (!isEmptyString(ip)) yield* ipErrors(`${path}.ip`, ip);
    if (ipMode === undefined) {
      if (!isEmptyString(ip)) yield requiredField(`${path}.ipMode`, "must be specified when `ip` is set");
    } else if (isEmptyString(ip)) yield forbiddenField(`${path}.ipMode`, "may not be specified when `ip` is not set");
    else if (ipMode !== "VIP" && ipMode !== "Proxy") yield unsupportedField(`${path}.ipMode`, ipMode, ["Proxy", "VIP"]);
    if (isEmptyString(hostname)) continue;
    yield* dnsSubdomainErrors(`${path}.hostname`, hostname);
    if ([...ipErrors("", hostname)].length === 0) {
      yield invalidField(`${path}.hostname`, hostname, "must be a DNS name, not an IP address");
    }
  }
}

const servicePrinter: Printer = printer<typeof Service>(
  [
    NAME_COLUMN,
    tableColumn("Type", "Type of the service."),
    tableColumn("Cluster-IP", "IP address in the cluster."),
    tableColumn("External-IP", "External addresses."),
    tableColumn("Port(s)", "Ports, with node ports."),
    AGE_COLUMN,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (service) => [
    service.spec?.type ?? "",
    service.spec?.clusterIPs?.[0] ?? NONE_CELL,
    externalText(service),
    portsText(service),
    labelsText(service.spec?.selector),
  ],
);

function externalText({ spec, status }: ObjectOf<typeof Service>): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return external.length === 0 ? NONE_CELL : external.join(",");
    case "LoadBalancer": {
      const balancer = loadBalancerText(status?.loadBalancer);
      const all = [...(balancer === "" ? [] : [balancer]), ...external];
      return all.length === 0 ? "<pending>" : all.join(",");
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return UNKNOWN_CELL;
  }
}

function portsText({ spec }: ObjectOf<typeof Service>): string {
  const ports = (spec?.ports ?? []).map(({ port, nodePort = 0, protocol = "" }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.length === 0 ? NONE_CELL : ports.join(",");
}

/** Services. */
export const serviceResource: Resource = builtinResource({
  kind: Service,
  categories: ["all"],
  strategy: serviceStrategy,
  printer: servicePrinter,
  fieldLabels: fieldLabels({ ...NAME_FIELDS, ...fieldsAt("spec.clusterIP", "spec.type") }),
});
