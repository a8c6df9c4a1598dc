import { clusterScopedPath, namespacedPath, SELECTOR, tableCase } from "./table-case.ts";
import type { Body, TableCase } from "./table-case.ts";

const target = (type: string, value: Body): Body => ({ type, ...value });

/** Budgets, quotas and leases. */
export const POLICY: readonly TableCase[] = [
  tableCase(
    namespacedPath("policy/v1", "poddisruptionbudgets"),
    "min",
    { spec: { minAvailable: "50%", selector: SELECTOR } },
    {
      disruptionsAllowed: 2,
      currentHealthy: 3,
      desiredHealthy: 1,
      expectedPods: 3,
    },
  ),
  tableCase(namespacedPath("policy/v1", "poddisruptionbudgets"), "max", {
    spec: { maxUnavailable: 1, selector: SELECTOR },
  }),
  tableCase(clusterScopedPath("scheduling.k8s.io/v1", "priorityclasses"), "tables-high", {
    value: 1000,
    preemptionPolicy: "Never",
  }),
  tableCase(namespacedPath("coordination.k8s.io/v1", "leases"), "held", {
    spec: { holderIdentity: "me", leaseDurationSeconds: 5 },
  }),
  tableCase(namespacedPath("coordination.k8s.io/v1", "leases"), "free", { spec: {} }),
  tableCase(
    namespacedPath("autoscaling/v2", "horizontalpodautoscalers"),
    "web",
    {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: target("Utilization", { averageUtilization: 80 }) } },
          { type: "Resource", resource: { name: "memory", target: target("AverageValue", { averageValue: "500Mi" }) } },
          { type: "Pods", pods: { metric: { name: "rps" }, target: target("AverageValue", { averageValue: "10" }) } },
        ],
      },
    },
    {
      currentReplicas: 3,
      desiredReplicas: 4,
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 55, averageValue: "1" } } },
      ],
    },
  ),
  tableCase(namespacedPath("autoscaling/v2", "horizontalpodautoscalers"), "outside", {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 9,
      metrics: [
        { type: "External", external: { metric: { name: "q" }, target: target("Value", { value: "30" }) } },
        {
          type: "Object",
          object: {
            describedObject: { apiVersion: "v1", kind: "Service", name: "s" },
            metric: { name: "q" },
            target: target("AverageValue", { averageValue: "2k" }),
          },
        },
      ],
    },
  }),
  tableCase(
    namespacedPath("", "resourcequotas"),
    "quota",
    { spec: { hard: { "requests.cpu": "2", "limits.cpu": "4", pods: "10" } } },
    {
      hard: { "requests.cpu": "2", "limits.cpu": "4", pods: "10" },
      used: { "requests.cpu": "500m", "limits.cpu": "1", pods: "3" },
    },
  ),
  tableCase(namespacedPath("", "limitranges"), "limits", {
    spec: { limits: [{ type: "Container", default: { cpu: "1" } }] },
  }),
];
