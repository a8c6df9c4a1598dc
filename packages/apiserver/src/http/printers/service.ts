import type { ObjectOf, Service } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer, wideColumn } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { loadBalancerText, labelsText, NONE_CELL, UNKNOWN_CELL } from "./cell-text.ts";

export const servicePrinter: Printer = printer<typeof Service>(
  [
    NAME_COLUMN,
    tableColumn("Type", "Type of the service."),
    tableColumn("Cluster-IP", "IP address in the cluster."),
    tableColumn("External-IP", "External addresses."),
    tableColumn("Port(s)", "Ports, with node ports."),
    AGE_COLUMN,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (service, now) => [
    service.metadata.name,
    service.spec?.type ?? "",
    service.spec?.clusterIPs?.[0] ?? NONE_CELL,
    externalText(service),
    portsText(service),
    ageCell(service, now),
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
