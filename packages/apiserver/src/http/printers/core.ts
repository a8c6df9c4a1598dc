import type {
  ConfigMap,
  Endpoints,
  Namespace,
  ObjectOf,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
} from "@levelset/core";
import {
  AGE_COLUMN,
  ageCell,
  tableColumn,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
} from "./printer.ts";
import type { Printer } from "./printer.ts";
import { containersText, truncateList, labelsText, NONE_CELL, quantityText } from "./cell-text.ts";

export const namespacePrinter: Printer = printer<typeof Namespace>(
  [NAME_COLUMN, tableColumn("Status", "Active, or Terminating while its content is deleted."), AGE_COLUMN],
  (namespace, now) => [namespace.metadata.name, namespace.status?.phase ?? "", ageCell(namespace, now)],
);

const size = (map: object | undefined): number => Object.keys(map ?? {}).length;

export const configMapPrinter: Printer = printer<typeof ConfigMap>(
  [NAME_COLUMN, tableColumn("Data", "Number of keys."), AGE_COLUMN],
  (map, now) => [map.metadata.name, size(map.data) + size(map.binaryData), ageCell(map, now)],
);

export const secretPrinter: Printer = printer<typeof Secret>(
  [NAME_COLUMN, tableColumn("Type", "Type of the content."), tableColumn("Data", "Number of keys."), AGE_COLUMN],
  (secret, now) => [secret.metadata.name, secret.type ?? "", size(secret.data), ageCell(secret, now)],
);

export const podTemplatePrinter: Printer = printer<typeof PodTemplate>(
  [
    NAME_COLUMN,
    tableColumn("Containers", "Names of the containers."),
    tableColumn("Images", "Images of the containers."),
    tableColumn("Pod Labels", "Labels of the pods."),
  ],
  ({ metadata, template }) => [
    metadata.name,
    ...containersText(template?.spec?.containers),
    labelsText(template?.metadata?.labels),
  ],
);

export const replicationControllerPrinter: Printer = printer<typeof ReplicationController>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Desired number of pods."),
    integerColumn("Current", "Current number of pods."),
    integerColumn("Ready", "Ready pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (controller, now) => [
    controller.metadata.name,
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ageCell(controller, now),
    ...containersText(controller.spec?.template?.spec?.containers),
    labelsText(controller.spec?.selector),
  ],
);

const SHOWN_ENDPOINTS = 3;

export const endpointsPrinter: Printer = printer<typeof Endpoints>(
  [NAME_COLUMN, tableColumn("Endpoints", "Addresses of the service."), AGE_COLUMN],
  (endpoints, now) => [endpoints.metadata.name, endpointsText(endpoints), ageCell(endpoints, now)],
);

function endpointsText({ subsets }: ObjectOf<typeof Endpoints>): string {
  if ((subsets ?? []).length === 0) return NONE_CELL;
  const reached = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const ips = (addresses ?? []).map(({ ip }) => ip);
    if ((ports ?? []).length === 0) return ips;
    return (ports ?? []).flatMap(({ port }) =>
      ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    );
  });
  return truncateList(reached, SHOWN_ENDPOINTS);
}

export const resourceQuotaPrinter: Printer = printer<typeof ResourceQuota>(
  [
    NAME_COLUMN,
    tableColumn("Request", "Used and allowed requests."),
    tableColumn("Limit", "Used and allowed limits."),
    AGE_COLUMN,
  ],
  (quota, now) => [quota.metadata.name, usageText(quota, false), usageText(quota, true), ageCell(quota, now)],
);

function usageText({ status }: ObjectOf<typeof ResourceQuota>, limits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .filter((name) => name.startsWith("limits.") === limits)
    .toSorted()
    .map((name) => `${name}: ${quantityText(status?.used?.[name])}/${quantityText(status?.hard?.[name])}`)
    .join(", ");
}
