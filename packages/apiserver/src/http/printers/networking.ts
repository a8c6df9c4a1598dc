import type { EndpointSlice, Ingress, IngressClass, NetworkPolicy, ObjectOf } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { loadBalancerText, truncateList, NONE_CELL, selectorCell, UNSET_CELL } from "./cell-text.ts";

const SHOWN = 3;

export const ingressPrinter: Printer = printer<typeof Ingress>(
  [
    NAME_COLUMN,
    tableColumn("Class", "Ingress class."),
    tableColumn("Hosts", "Hosts of the rules."),
    tableColumn("Address", "Addresses of the load balancer."),
    tableColumn("Ports", "Ports."),
    AGE_COLUMN,
  ],
  (ingress, now) => {
    const { spec, status } = ingress;
    return [
      ingress.metadata.name,
      spec?.ingressClassName ?? NONE_CELL,
      hostsText(ingress),
      loadBalancerText(status?.loadBalancer),
      (spec?.tls ?? []).length === 0 ? "80" : "80, 443",
      ageCell(ingress, now),
    ];
  },
);

/** Rules without a host are skipped but counted, as in `pkg/printers/internalversion/printers.go` (Kubernetes 1.36). */
function hostsText({ spec }: ObjectOf<typeof Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts = rules.map(({ host = "" }) => host);
  const shown = hosts.filter((host) => host !== "").slice(0, SHOWN);
  if (shown.length === 0) return "*";
  const last = hosts.indexOf(shown.at(-1) ?? "", shown.length - 1);
  const isCut = shown.length === SHOWN && last < rules.length - 1;
  return isCut ? `${shown.join(",")} + ${rules.length - SHOWN} more...` : shown.join(",");
}

export const ingressClassPrinter: Printer = printer<typeof IngressClass>(
  [
    NAME_COLUMN,
    tableColumn("Controller", "Controller of ingresses of this class."),
    tableColumn("Parameters", "Parameters of the class."),
    AGE_COLUMN,
  ],
  (ingressClass, now) => {
    const { metadata, spec } = ingressClass;
    const parameters = spec?.parameters;
    const group = parameters?.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
    return [
      nameWithDefaultMark(metadata, ["ingressclass.kubernetes.io/is-default-class"]),
      spec?.controller ?? "",
      parameters === undefined ? NONE_CELL : `${parameters.kind}${group}/${parameters.name}`,
      ageCell(ingressClass, now),
    ];
  },
);

/** Returns the name of a class, marked if it is the default. */
export function nameWithDefaultMark(
  metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> },
  annotations: readonly string[],
): string {
  const isDefault = annotations.some((annotation) => metadata.annotations?.[annotation] === "true");
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}

export const networkPolicyPrinter: Printer = printer<typeof NetworkPolicy>(
  [NAME_COLUMN, tableColumn("Pod-Selector", "Selector of the pods."), AGE_COLUMN],
  (policy, now) => [policy.metadata.name, selectorCell(policy.spec?.podSelector), ageCell(policy, now)],
);

export const endpointSlicePrinter: Printer = printer<typeof EndpointSlice>(
  [
    NAME_COLUMN,
    tableColumn("AddressType", "Type of the addresses."),
    tableColumn("Ports", "Ports of all endpoints."),
    tableColumn("Endpoints", "Addresses of the endpoints."),
    AGE_COLUMN,
  ],
  (slice, now) => {
    const ports = (slice.ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port)));
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
    return [slice.metadata.name, slice.addressType, shown(ports), shown(addresses), ageCell(slice, now)];
  },
);

function shown(list: readonly string[]): string {
  const text = truncateList(list, SHOWN);
  return text === "" ? UNSET_CELL : text;
}
