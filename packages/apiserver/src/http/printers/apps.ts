import { controllerOf, parseApiVersion } from "@levelset/core";
import type { ControllerRevision, DaemonSet, Deployment, ObjectOf, ReplicaSet, StatefulSet } from "@levelset/core";
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
import type { TableColumnDefinition, Printer } from "./printer.ts";
import { containersText, labelsText, NONE_CELL, formatSelectorCell, selectorCell } from "./cell-text.ts";

const SELECTOR: TableColumnDefinition = wideColumn("Selector", "Label selector of the pods.");

export const deploymentPrinter: Printer = printer<typeof Deployment>(
  [
    NAME_COLUMN,
    tableColumn("Ready", "Ready pods of desired pods."),
    tableColumn("Up-to-date", "Pods of the current template."),
    tableColumn("Available", "Available pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (deployment, now) => [
    deployment.metadata.name,
    readyText(deployment),
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageCell(deployment, now),
    ...containersText(deployment.spec.template.spec?.containers),
    formatSelectorCell(deployment.spec.selector, "<invalid>"),
  ],
);

export const replicaSetPrinter: Printer = printer<typeof ReplicaSet>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Desired number of pods."),
    integerColumn("Current", "Current number of pods."),
    integerColumn("Ready", "Ready pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (set, now) => [
    set.metadata.name,
    set.spec.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    ageCell(set, now),
    ...containersText(set.spec.template?.spec?.containers),
    selectorCell(set.spec.selector),
  ],
);

export const statefulSetPrinter: Printer = printer<typeof StatefulSet>(
  [NAME_COLUMN, tableColumn("Ready", "Ready pods of desired pods."), AGE_COLUMN, ...CONTAINER_COLUMNS],
  (set, now) => [
    set.metadata.name,
    readyText(set),
    ageCell(set, now),
    ...containersText(set.spec.template.spec?.containers),
  ],
);

function readyText({ spec, status }: ObjectOf<typeof Deployment> | ObjectOf<typeof StatefulSet>): string {
  return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
}

export const daemonSetPrinter: Printer = printer<typeof DaemonSet>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Nodes that should run the pod."),
    integerColumn("Current", "Nodes that run the pod."),
    integerColumn("Ready", "Nodes with a ready pod."),
    integerColumn("Up-to-date", "Nodes with a pod of the current template."),
    integerColumn("Available", "Nodes with an available pod."),
    tableColumn("Node Selector", "Labels of the nodes."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (set, now) => [
    set.metadata.name,
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelsText(set.spec.template.spec?.nodeSelector),
    ageCell(set, now),
    ...containersText(set.spec.template.spec?.containers),
    selectorCell(set.spec.selector),
  ],
);

export const controllerRevisionPrinter: Printer = printer<typeof ControllerRevision>(
  [
    NAME_COLUMN,
    tableColumn("Controller", "Owner of the revision."),
    tableColumn("Revision", "Revision number."),
    AGE_COLUMN,
  ],
  (revision, now) => [revision.metadata.name, ownerText(revision), revision.revision, ageCell(revision, now)],
);

function ownerText(revision: ObjectOf<typeof ControllerRevision>): string {
  const owner = controllerOf(revision);
  if (owner === undefined) return NONE_CELL;
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase() + `/${owner.name}`;
}
