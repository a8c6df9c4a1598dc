import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  optionalEnum,
  requiredString,
  int32,
  int64,
  optional,
  withPatchStrategy,
  quantity,
  s,
  optionalString,
  optionalTime,
} from "./field-builders.ts";
import { conditions, labelSelector } from "./meta.ts";

const crossVersionObjectReferenceFields = {
  apiVersion: optionalString("Group and version of the object."),
  kind: requiredString("Kind of the object."),
  name: requiredString("Name of the object."),
};

/** An object in the same namespace. */
export interface CrossVersionObjectReference extends ObjectIn<typeof crossVersionObjectReferenceFields> {}

/** The schema of `CrossVersionObjectReference`. */
export const crossVersionObjectReference: ObjectSchema<CrossVersionObjectReference, CrossVersionObjectReference> =
  s.object(crossVersionObjectReferenceFields);

const metricIdentifierFields = { name: requiredString("Its name."), selector: optional(labelSelector, "Its labels.") };

/** Identifies a metric by name and labels. */
export interface MetricIdentifier extends ObjectIn<typeof metricIdentifierFields> {}

/** The schema of `MetricIdentifier`. */
export const metricIdentifier: ObjectSchema<MetricIdentifier, MetricIdentifier> = s.object(metricIdentifierFields);

const metricTargetFields = {
  type: s.enum("Utilization", "Value", "AverageValue").describe("Which of the values is set."),
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("Target value, averaged over the pods."),
  value: quantity("Target value of the metric."),
};

/** The target value of a metric. */
export interface MetricTarget extends ObjectIn<typeof metricTargetFields> {}

/** The schema of `MetricTarget`. */
export const metricTarget: ObjectSchema<MetricTarget, MetricTarget> = s.object(metricTargetFields);

const metricValueStatusFields = {
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("Target value, averaged over the pods."),
  value: quantity("Target value of the metric."),
};

/** The current value of a metric. */
export interface MetricValueStatus extends ObjectIn<typeof metricValueStatusFields> {}

/** The schema of `MetricValueStatus`. */
export const metricValueStatus: ObjectSchema<MetricValueStatus, MetricValueStatus> = s.object(metricValueStatusFields);

const metricSpecFields = {
  type: s.enum("Resource", "ContainerResource", "Pods", "Object", "External").describe("Which of the sources is set."),
  resource: optional(
    s.object({ name: requiredString("cpu or memory."), target: metricTarget.describe("The target value.") }),
    "Resource usage of the pods.",
  ),
  containerResource: optional(
    s.object({
      name: requiredString("cpu or memory."),
      container: requiredString("The container."),
      target: metricTarget.describe("The target value."),
    }),
    "Resource usage of one container of each pod.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A metric and its target. */
export interface MetricSpec extends ObjectIn<typeof metricSpecFields> {}

/** The schema of `MetricSpec`. */
export const metricSpec: ObjectSchema<MetricSpec, MetricSpec> = s.object(metricSpecFields);

const scalingRulesFields = {
  policies: optional(
    s
      .array(
        s.object({
          type: s.enum("Pods", "Percent").describe("Unit of the value."),
          value: s.int32().describe("Maximum change."),
          periodSeconds: s.int32().describe("Period in seconds."),
        }),
      )
      .atomic(),
    "Scaling policies.",
  ),
  selectPolicy: optionalEnum("Which policy applies if there are several; defaults to Max.", "Max", "Min", "Disabled"),
  stabilizationWindowSeconds: int32("Seconds of past recommendations that are considered, to avoid flapping."),
  tolerance: quantity("Tolerance of the metric before scaling."),
};

/** How fast the number of pods may change. */
export interface HpaScalingRules extends ObjectIn<typeof scalingRulesFields> {}

/** The schema of `HpaScalingRules`. */
const scalingRules: ObjectSchema<HpaScalingRules, HpaScalingRules> = s.object(scalingRulesFields);

const metricStatusFields = {
  type: requiredString("Which of the sources is set."),
  resource: optional(
    s.object({ name: requiredString("cpu or memory."), current: metricValueStatus.describe("The current value.") }),
    "Resource usage of the pods.",
  ),
  containerResource: optional(
    s.object({
      name: requiredString("cpu or memory."),
      container: requiredString("The container."),
      current: metricValueStatus.describe("The current value."),
    }),
    "Resource usage of one container of each pod.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A metric and its current value. */
export interface MetricStatus extends ObjectIn<typeof metricStatusFields> {}

/** The schema of `MetricStatus`. */
export const metricStatus: ObjectSchema<MetricStatus, MetricStatus> = s.object(metricStatusFields);

/** Scales a workload by metrics. */
export const HorizontalPodAutoscaler = builtIn({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  description: "Scales the number of pods by metrics.",
  shortNames: ["hpa"],
  fields: {
    spec: s
      .object({
        scaleTargetRef: crossVersionObjectReference.describe("The scale target."),
        minReplicas: int32("Minimum number of pods; defaults to 1."),
        maxReplicas: s.int32().describe("Maximum number of pods."),
        metrics: optional(s.array(metricSpec).atomic(), "Metrics for scaling; defaults to 80% of the CPU request."),
        behavior: optional(
          s.object({
            scaleUp: optional(scalingRules, "Scale-up behaviour."),
            scaleDown: optional(scalingRules, "Scale-down behaviour."),
          }),
          "Scaling behaviour.",
        ),
      })
      .describe("Scale target, bounds and metrics."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        lastScaleTime: optionalTime("When the number of replicas last changed."),
        currentReplicas: int32("Number of pods."),
        desiredReplicas: s.int32().describe("Desired number of pods.").default(0),
        currentMetrics: optional(s.array(metricStatus).atomic(), "Last read metrics."),
        conditions: withPatchStrategy("merge", optional(conditions, "Conditions."), "type"),
      }),
      "Status of the autoscaler.",
    ),
  },
});

/** Scales a workload by CPU; version 1, with other metrics in annotations. */
export const HorizontalPodAutoscalerV1 = builtIn({
  group: "autoscaling",
  version: "v1",
  kind: "HorizontalPodAutoscaler",
  description: "Scales the number of pods by CPU usage.",
  shortNames: ["hpa"],
  fields: {
    spec: s
      .object({
        scaleTargetRef: crossVersionObjectReference.atomic().describe("The scale target."),
        minReplicas: int32("Minimum number of pods; defaults to 1."),
        maxReplicas: s.int32().describe("Maximum number of pods."),
        targetCPUUtilizationPercentage: int32("Percent of the cpu request to keep to, on average over the pods."),
      })
      .describe("Scale target, bounds and metrics."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        lastScaleTime: optionalTime("When the number of replicas last changed."),
        currentReplicas: s.int32().describe("Number of pods."),
        desiredReplicas: s.int32().describe("Desired number of pods."),
        currentCPUUtilizationPercentage: int32("Percent of the cpu request in use, on average over the pods."),
      }),
      "Status of the autoscaler.",
    ),
  },
});
