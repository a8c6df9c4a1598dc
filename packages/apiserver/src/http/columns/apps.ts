import { controllerOf, parseApiVersion } from "@levelset/core";
import type { ControllerRevision, DaemonSet, Deployment, ObjectOf, ReplicaSet, StatefulSet } from "@levelset/core";
import { AGE, ageOf, column, CONTAINERS, counter, NAME, printer, wide } from "./printer.ts";
import type { ColumnDefinition, Printer } from "./printer.ts";
import { containersText, labelsText, NONE, selectorText, shownSelector } from "./text.ts";

const SELECTOR: ColumnDefinition = wide("Selector", "Its pods by label.");

export const deploymentPrinter: Printer = printer<typeof Deployment>(
  [
    NAME,
    column("Ready", "Pods that are ready, of those that are wanted."),
    column("Up-to-date", "Pods of the current template."),
    column("Available", "Pods that have been ready for long enough."),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  (deployment, now) => [
    deployment.metadata.name,
    readyText(deployment),
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageOf(deployment, now),
    ...containersText(deployment.spec.template.spec?.containers),
    selectorText(deployment.spec.selector, "<invalid>"),
  ],
);

export const replicaSetPrinter: Printer = printer<typeof ReplicaSet>(
  [
    NAME,
    counter("Desired", "Pods that are wanted."),
    counter("Current", "Pods there are."),
    counter("Ready", "Pods that are ready."),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  (set, now) => [
    set.metadata.name,
    set.spec.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    ageOf(set, now),
    ...containersText(set.spec.template?.spec?.containers),
    shownSelector(set.spec.selector),
  ],
);

export const statefulSetPrinter: Printer = printer<typeof StatefulSet>(
  [NAME, column("Ready", "Pods that are ready, of those that are wanted."), AGE, ...CONTAINERS],
  (set, now) => [
    set.metadata.name,
    readyText(set),
    ageOf(set, now),
    ...containersText(set.spec.template.spec?.containers),
  ],
);

function readyText({ spec, status }: ObjectOf<typeof Deployment> | ObjectOf<typeof StatefulSet>): string {
  return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
}

export const daemonSetPrinter: Printer = printer<typeof DaemonSet>(
  [
    NAME,
    counter("Desired", "Nodes that fit."),
    counter("Current", "Nodes with a pod."),
    counter("Ready", "Nodes with a pod that is ready."),
    counter("Up-to-date", "Nodes with a pod of the current template."),
    counter("Available", "Nodes with a pod that has been ready for long enough."),
    column("Node Selector", "Labels of the nodes."),
    AGE,
    ...CONTAINERS,
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
    ageOf(set, now),
    ...containersText(set.spec.template.spec?.containers),
    shownSelector(set.spec.selector),
  ],
);

export const controllerRevisionPrinter: Printer = printer<typeof ControllerRevision>(
  [NAME, column("Controller", "Whose template it is."), column("Revision", "Which of its templates."), AGE],
  (revision, now) => [revision.metadata.name, ownerText(revision), revision.revision, ageOf(revision, now)],
);

function ownerText(revision: ObjectOf<typeof ControllerRevision>): string {
  const owner = controllerOf(revision);
  if (owner === undefined) return NONE;
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase() + `/${owner.name}`;
}
