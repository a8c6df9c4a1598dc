import type { ObjectOf, Service } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { balancerText, labelsText, NONE, UNKNOWN } from "./text.ts";

export const servicePrinter: Printer = printer<typeof Service>(
  [
    NAME,
    column("Type", "How it can be reached."),
    column("Cluster-IP", "Its address within the cluster."),
    column("External-IP", "Its addresses outside of the cluster."),
    column("Port(s)", "Its ports, and those on the nodes."),
    AGE,
    wide("Selector", "Labels of the pods behind it."),
  ],
  (service, now) => [
    service.metadata.name,
    service.spec?.type ?? "",
    service.spec?.clusterIPs?.[0] ?? NONE,
    externalText(service),
    portsText(service),
    ageOf(service, now),
    labelsText(service.spec?.selector),
  ],
);

function externalText({ spec, status }: ObjectOf<typeof Service>): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return external.length === 0 ? NONE : external.join(",");
    case "LoadBalancer": {
      const balancer = balancerText(status?.loadBalancer);
      const all = [...(balancer === "" ? [] : [balancer]), ...external];
      return all.length === 0 ? "<pending>" : all.join(",");
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return UNKNOWN;
  }
}

function portsText({ spec }: ObjectOf<typeof Service>): string {
  const ports = (spec?.ports ?? []).map(({ port, nodePort = 0, protocol = "" }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.length === 0 ? NONE : ports.join(",");
}
