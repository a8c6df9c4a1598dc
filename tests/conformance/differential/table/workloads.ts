import { LATE, namespacedPath, SELECTOR, tableCase, TEMPLATE, UID_OF_DB } from "./table-case.ts";
import type { TableCase } from "./table-case.ts";

/** Workloads. */
export const WORKLOADS: readonly TableCase[] = [
  tableCase(
    namespacedPath("apps/v1", "deployments"),
    "web",
    { spec: { replicas: 3, selector: SELECTOR, template: TEMPLATE } },
    {
      replicas: 3,
      readyReplicas: 2,
      updatedReplicas: 1,
      availableReplicas: 2,
      unavailableReplicas: 1,
      observedGeneration: 1,
    },
  ),
  tableCase(namespacedPath("apps/v1", "deployments"), "picky", {
    spec: {
      selector: {
        matchLabels: { app: "x" },
        matchExpressions: [
          { key: "tier", operator: "In", values: ["z", "y"] },
          { key: "app", operator: "Exists" },
          { key: "old", operator: "DoesNotExist" },
          { key: "app", operator: "NotIn", values: ["a"] },
        ],
      },
      template: TEMPLATE,
    },
  }),
  tableCase(
    namespacedPath("apps/v1", "replicasets"),
    "web-1",
    { spec: { replicas: 2, selector: SELECTOR, template: TEMPLATE } },
    {
      replicas: 2,
      readyReplicas: 1,
    },
  ),
  tableCase(
    namespacedPath("apps/v1", "statefulsets"),
    "db",
    {
      spec: { replicas: 2, serviceName: "db", selector: SELECTOR, template: TEMPLATE },
    },
    { replicas: 2, readyReplicas: 1, availableReplicas: 1 },
  ),
  tableCase(
    namespacedPath("apps/v1", "daemonsets"),
    "agent",
    {
      spec: {
        selector: SELECTOR,
        template: { ...TEMPLATE, spec: { ...TEMPLATE.spec, nodeSelector: { disk: "ssd", arch: "arm" } } },
      },
    },
    {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberMisscheduled: 0,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
    },
  ),
  tableCase(namespacedPath("apps/v1", "controllerrevisions"), "db-1", {
    metadata: {
      ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: UID_OF_DB, controller: true }],
    },
    revision: 7,
    data: { a: 1 },
  }),
  tableCase(namespacedPath("apps/v1", "controllerrevisions"), "lonely", { revision: 1, data: { a: 1 } }),
  tableCase(
    namespacedPath("", "replicationcontrollers"),
    "old",
    { spec: { replicas: 2, selector: { app: "x" }, template: TEMPLATE } },
    {
      replicas: 2,
      readyReplicas: 1,
    },
  ),
  tableCase(namespacedPath("", "podtemplates"), "kept", { template: TEMPLATE }),
  tableCase(namespacedPath("batch/v1", "jobs"), "starts", {
    spec: { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } },
  }),
  tableCase(
    namespacedPath("batch/v1", "jobs"),
    "many",
    {
      spec: { parallelism: 4, template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } },
    },
    { succeeded: 0, active: 1, startTime: LATE },
  ),
  tableCase(
    namespacedPath("batch/v1", "cronjobs"),
    "nightly",
    {
      spec: {
        schedule: "0 3 * * *",
        timeZone: "Europe/Berlin",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } } },
      },
    },
    { active: [{ kind: "Job", name: "a" }], lastScheduleTime: LATE },
  ),
  tableCase(namespacedPath("batch/v1", "cronjobs"), "new", {
    spec: {
      schedule: "@daily",
      jobTemplate: { spec: { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } } },
    },
  }),
];
