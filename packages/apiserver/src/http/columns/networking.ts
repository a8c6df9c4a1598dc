import type { EndpointSlice, Ingress, IngressClass, NetworkPolicy, ObjectOf } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { balancerText, firstOf, NONE, shownSelector, UNSET } from "./text.ts";

const SHOWN = 3;

export const ingressPrinter: Printer = printer<typeof Ingress>(
  [
    NAME,
    column("Class", "Who serves it."),
    column("Hosts", "The hosts it answers for."),
    column("Address", "Where it can be reached."),
    column("Ports", "The ports it listens on."),
    AGE,
  ],
  (ingress, now) => {
    const { spec, status } = ingress;
    return [
      ingress.metadata.name,
      spec?.ingressClassName ?? NONE,
      hostsText(ingress),
      balancerText(status?.loadBalancer),
      (spec?.tls ?? []).length === 0 ? "80" : "80, 443",
      ageOf(ingress, now),
    ];
  },
);

/** As the real server counts: rules without a host are skipped, but count among those that are left. */
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
  [NAME, column("Controller", "Who serves ingresses of this class."), column("Parameters", "Its settings."), AGE],
  (ingressClass, now) => {
    const { metadata, spec } = ingressClass;
    const parameters = spec?.parameters;
    const group = parameters?.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
    return [
      defaultName(metadata, ["ingressclass.kubernetes.io/is-default-class"]),
      spec?.controller ?? "",
      parameters === undefined ? NONE : `${parameters.kind}${group}/${parameters.name}`,
      ageOf(ingressClass, now),
    ];
  },
);

/** The name of a class, and whether it is the default one. */
export function defaultName(
  metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> },
  annotations: readonly string[],
): string {
  const isDefault = annotations.some((annotation) => metadata.annotations?.[annotation] === "true");
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}

export const networkPolicyPrinter: Printer = printer<typeof NetworkPolicy>(
  [NAME, column("Pod-Selector", "The pods it is about."), AGE],
  (policy, now) => [policy.metadata.name, shownSelector(policy.spec?.podSelector), ageOf(policy, now)],
);

export const endpointSlicePrinter: Printer = printer<typeof EndpointSlice>(
  [
    NAME,
    column("AddressType", "What its addresses are."),
    column("Ports", "The ports of all endpoints."),
    column("Endpoints", "The addresses."),
    AGE,
  ],
  (slice, now) => {
    const ports = (slice.ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port)));
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
    return [slice.metadata.name, slice.addressType, shown(ports), shown(addresses), ageOf(slice, now)];
  },
);

function shown(list: readonly string[]): string {
  const text = firstOf(list, SHOWN);
  return text === "" ? UNSET : text;
}
