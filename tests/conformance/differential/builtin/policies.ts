import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

const budget = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name },
  spec,
});
const target: JsonObject = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const scaler = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name },
  spec: { scaleTargetRef: target, maxReplicas: 3, ...spec },
});

const BUDGETS: readonly Case[] = [
  { name: "a budget", body: budget("a", { minAvailable: 1, selector: { matchLabels: { a: "b" } } }) },
  {
    name: "a budget with a percentage",
    body: budget("a", { maxUnavailable: "30%", unhealthyPodEvictionPolicy: "AlwaysAllow" }),
  },
  {
    name: "a budget without a spec",
    body: { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "a" } },
  },
  {
    name: "a budget with both bounds",
    body: budget("a", { minAvailable: 1, maxUnavailable: 1 }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: "a budget below zero", body: budget("a", { minAvailable: -1 }) },
  { name: "a budget above 100%", body: budget("a", { minAvailable: "101%" }) },
  { name: "an invalid percentage", body: budget("a", { maxUnavailable: "lots" }) },
  {
    name: "a budget with an unknown policy",
    body: budget("a", { minAvailable: 1, unhealthyPodEvictionPolicy: "Never" }),
  },
  {
    name: "a budget with a bad selector",
    body: budget("a", { minAvailable: 1, selector: { matchLabels: { "a b": "c" } } }),
  },
  {
    name: "a budget that changes",
    body: budget("changes", { minAvailable: 1, selector: { matchLabels: { a: "b" } } }),
    changes: [
      { merge: { spec: { minAvailable: 2 } } },
      {
        merge: {
          status: {
            disruptionsAllowed: 1,
            currentHealthy: 2,
            desiredHealthy: 1,
            expectedPods: 2,
            observedGeneration: 2,
          },
        },
        part: "status",
      },
      {
        merge: {
          status: { disruptionsAllowed: -1, conditions: [{ type: "x y", status: "Maybe", reason: "", message: "" }] },
        },
        part: "status",
      },
    ],
  },
];

const metric = (fields: JsonObject): JsonObject => scaler("a", { metrics: [fields] });

const SCALERS: readonly Case[] = [
  { name: "a scaler", body: scaler("a", {}) },
  {
    name: "a scaler with behaviour",
    body: scaler("a", { behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } }),
  },
  {
    name: "a scaler with metrics of all types",
    body: scaler("a", {
      metrics: [
        { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1000m" } } },
        {
          type: "ContainerResource",
          containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 50 } },
        },
        { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "10" } } },
        {
          type: "Object",
          object: { describedObject: target, metric: { name: "m" }, target: { type: "Value", value: "10" } },
        },
        {
          type: "External",
          external: {
            metric: { name: "m", selector: { matchLabels: { a: "b" } } },
            target: { type: "Value", value: "1Ki" },
          },
        },
      ],
    }),
  },
  {
    name: "an empty scaler",
    body: { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "a" }, spec: {} },
  },
  { name: "a scaler with a maximum below one", body: scaler("a", { minReplicas: 0, maxReplicas: -1 }) },
  { name: "a scaler with minimum above maximum", body: scaler("a", { minReplicas: 5, maxReplicas: 3 }) },
  {
    name: "a scaler of a bad target",
    body: scaler("a", { scaleTargetRef: { kind: "a/b", name: "", apiVersion: "a/b/c" } }),
  },
  { name: "a metric without a type", body: metric({}) },
  { name: "a metric of an unknown type", body: metric({ type: "Mood" }) },
  { name: "a metric without its source", body: metric({ type: "Pods" }) },
  {
    name: "a metric with the source of another type",
    body: metric({ type: "Pods", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } } }),
  },
  {
    name: "a metric with two targets",
    body: metric({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1, averageValue: "1" } },
    }),
  },
  { name: "a metric with no target", body: metric({ type: "Resource", resource: { name: "", target: { type: "" } } }) },
  {
    name: "a metric with zero targets",
    body: metric({
      type: "External",
      external: { metric: { name: "a/b" }, target: { type: "Value", value: "0", averageValue: "-1" } },
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "a container without a name",
    body: metric({
      type: "ContainerResource",
      containerResource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "bad behaviour",
    body: scaler("a", {
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: -1,
          selectPolicy: "Any",
          policies: [{ type: "Some", value: 0, periodSeconds: 0 }],
        },
        scaleDown: { stabilizationWindowSeconds: 9_999, policies: [{ type: "Pods", value: 1, periodSeconds: 9_999 }] },
      },
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "a scaler that changes",
    body: scaler("changes", {}),
    changes: [
      { merge: { spec: { maxReplicas: 9 } } },
      { merge: { status: { currentReplicas: 1, desiredReplicas: 2 } }, part: "status" },
      { merge: { status: { currentReplicas: -1, desiredReplicas: -2 } }, part: "status" },
    ],
  },
];

const older = (name: string, spec: JsonObject): JsonObject => ({
  ...scaler(name, spec),
  apiVersion: "autoscaling/v1",
});

const OLDER_SCALERS: readonly Case[] = [
  { name: "an older scaler", body: older("a", {}) },
  { name: "an older scaler of a percentage", body: older("a", { targetCPUUtilizationPercentage: 50 }) },
  {
    name: "an older scaler of a bad percentage",
    body: older("a", { targetCPUUtilizationPercentage: 0, maxReplicas: 0 }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "an older scaler that changes",
    body: older("older", { targetCPUUtilizationPercentage: 50 }),
    changes: [
      { merge: { spec: { targetCPUUtilizationPercentage: 60 } } },
      { merge: { status: { currentReplicas: 1, desiredReplicas: 2 } }, part: "status" },
    ],
  },
];

const event = (name: string, fields: JsonObject): JsonObject => ({
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name },
  ...fields,
});
const good: JsonObject = {
  eventTime: "2026-01-01T00:00:00.000001Z",
  reportingController: "a.b/c",
  reportingInstance: "i",
  action: "Do",
  reason: "Done",
  type: "Normal",
  regarding: { kind: "Pod", name: "p", namespace: "differential" },
};

const EVENTS: readonly Case[] = [
  { name: "an event", body: event("a", { ...good, note: "all well" }) },
  {
    name: "an event with a series",
    body: event("a", { ...good, series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" } }),
  },
  { name: "an empty event", body: event("a", {}) },
  {
    name: "an event in the older form",
    body: event("a", {
      ...good,
      deprecatedCount: 1,
      deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
      deprecatedLastTimestamp: "2026-01-01T00:00:00Z",
      deprecatedSource: { component: "x" },
    }),
  },
  { name: "an event of an unknown type", body: event("a", { ...good, type: "Bad" }) },
  {
    name: "an event with a series of one",
    body: event("a", { ...good, series: { count: 1, lastObservedTime: null } }),
  },
  {
    name: "an event with a bad reporter",
    body: event("a", { ...good, reportingController: "a b", reportingInstance: "", action: "", reason: "" }),
  },
  { name: "an event of another namespace", body: event("a", { ...good, regarding: { kind: "Node", name: "n" } }) },
  {
    name: "an event is immutable",
    body: event("stays", good),
    changes: [
      { merge: { note: "x", reason: "Other" } },
      { merge: { series: { count: 3, lastObservedTime: "2026-01-01T00:00:01.000000Z" } } },
      { merge: { series: { count: 1 } } },
    ],
    messageDifference: "kube-apiserver prints a Go struct",
  },
];

/** Disruption budgets, autoscalers and events. */
export const POLICIES: readonly Case[] = [...BUDGETS, ...SCALERS, ...OLDER_SCALERS, ...EVENTS];
