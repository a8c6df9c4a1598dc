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
import { AGE, ageOf, column, CONTAINERS, counter, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { containersText, firstOf, labelsText, NONE, quantityText } from "./text.ts";

export const namespacePrinter: Printer = printer<typeof Namespace>(
  [NAME, column("Status", "Active, or Terminating while its content is deleted."), AGE],
  (namespace, now) => [namespace.metadata.name, namespace.status?.phase ?? "", ageOf(namespace, now)],
);

const size = (map: object | undefined): number => Object.keys(map ?? {}).length;

export const configMapPrinter: Printer = printer<typeof ConfigMap>(
  [NAME, column("Data", "How many keys it has."), AGE],
  (map, now) => [map.metadata.name, size(map.data) + size(map.binaryData), ageOf(map, now)],
);

export const secretPrinter: Printer = printer<typeof Secret>(
  [NAME, column("Type", "What its content is for."), column("Data", "How many keys it has."), AGE],
  (secret, now) => [secret.metadata.name, secret.type ?? "", size(secret.data), ageOf(secret, now)],
);

export const podTemplatePrinter: Printer = printer<typeof PodTemplate>(
  [
    NAME,
    column("Containers", "Names of the containers."),
    column("Images", "Images of the containers."),
    column("Pod Labels", "Labels of the pods."),
  ],
  ({ metadata, template }) => [
    metadata.name,
    ...containersText(template?.spec?.containers),
    labelsText(template?.metadata?.labels),
  ],
);

export const replicationControllerPrinter: Printer = printer<typeof ReplicationController>(
  [
    NAME,
    counter("Desired", "Pods that are wanted."),
    counter("Current", "Pods there are."),
    counter("Ready", "Pods that are ready."),
    AGE,
    ...CONTAINERS,
    wide("Selector", "Labels of its pods."),
  ],
  (controller, now) => [
    controller.metadata.name,
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ageOf(controller, now),
    ...containersText(controller.spec?.template?.spec?.containers),
    labelsText(controller.spec?.selector),
  ],
);

const SHOWN_ENDPOINTS = 3;

export const endpointsPrinter: Printer = printer<typeof Endpoints>(
  [NAME, column("Endpoints", "Where the service can be reached."), AGE],
  (endpoints, now) => [endpoints.metadata.name, endpointsText(endpoints), ageOf(endpoints, now)],
);

function endpointsText({ subsets }: ObjectOf<typeof Endpoints>): string {
  if ((subsets ?? []).length === 0) return NONE;
  const reached = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const ips = (addresses ?? []).map(({ ip }) => ip);
    if ((ports ?? []).length === 0) return ips;
    return (ports ?? []).flatMap(({ port }) =>
      ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    );
  });
  return firstOf(reached, SHOWN_ENDPOINTS);
}

export const resourceQuotaPrinter: Printer = printer<typeof ResourceQuota>(
  [NAME, column("Request", "What is used, of what may be requested."), column("Limit", "The same for limits."), AGE],
  (quota, now) => [quota.metadata.name, usageText(quota, false), usageText(quota, true), ageOf(quota, now)],
);

function usageText({ status }: ObjectOf<typeof ResourceQuota>, limits: boolean): string {
  return Object.keys(status?.hard ?? {})
    .filter((name) => name.startsWith("limits.") === limits)
    .toSorted()
    .map((name) => `${name}: ${quantityText(status?.used?.[name])}/${quantityText(status?.hard?.[name])}`)
    .join(", ");
}
