import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, choice, given, int32, int64, optional, patched, quantity, s, text, time } from "./field.ts";
import { conditions, labelSelector } from "./meta.ts";

const crossVersionObjectReferenceFields = {
  apiVersion: text("Group and version of the object."),
  kind: given("Kind of the object."),
  name: given("Name of the object."),
};

/** An object in the same namespace. */
export interface CrossVersionObjectReference extends ObjectIn<typeof crossVersionObjectReferenceFields> {}

/** The schema of `CrossVersionObjectReference`. */
export const crossVersionObjectReference: ObjectSchema<CrossVersionObjectReference, CrossVersionObjectReference> =
  s.object(crossVersionObjectReferenceFields);

const metricIdentifierFields = { name: given("Its name."), selector: optional(labelSelector, "Its labels.") };

/** Which metric. */
export interface MetricIdentifier extends ObjectIn<typeof metricIdentifierFields> {}

/** The schema of `MetricIdentifier`. */
export const metricIdentifier: ObjectSchema<MetricIdentifier, MetricIdentifier> = s.object(metricIdentifierFields);

const metricTargetFields = {
  type: s.enum("Utilization", "Value", "AverageValue").describe("Which of the values is given."),
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("The value on average over the pods."),
  value: quantity("The value as a whole."),
};

/** The value to keep to. */
export interface MetricTarget extends ObjectIn<typeof metricTargetFields> {}

/** The schema of `MetricTarget`. */
export const metricTarget: ObjectSchema<MetricTarget, MetricTarget> = s.object(metricTargetFields);

const metricValueStatusFields = {
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("The value on average over the pods."),
  value: quantity("The value as a whole."),
};

/** A value that was measured. */
export interface MetricValueStatus extends ObjectIn<typeof metricValueStatusFields> {}

/** The schema of `MetricValueStatus`. */
export const metricValueStatus: ObjectSchema<MetricValueStatus, MetricValueStatus> = s.object(metricValueStatusFields);

const metricSpecFields = {
  type: s.enum("Resource", "ContainerResource", "Pods", "Object", "External").describe("Which of them is given."),
  resource: optional(
    s.object({ name: given("cpu or memory."), target: metricTarget.describe("The value to keep to.") }),
    "What pods use of a resource.",
  ),
  containerResource: optional(
    s.object({
      name: given("cpu or memory."),
      container: given("The container."),
      target: metricTarget.describe("The value to keep to."),
    }),
    "What one container of each pod uses of a resource.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("Which metric."),
      target: metricTarget.describe("The value to keep to."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("Which metric."),
      target: metricTarget.describe("The value to keep to."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("Which metric."),
      target: metricTarget.describe("The value to keep to."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A measure by which the number of pods is set. */
export interface MetricSpec extends ObjectIn<typeof metricSpecFields> {}

/** The schema of `MetricSpec`. */
export const metricSpec: ObjectSchema<MetricSpec, MetricSpec> = s.object(metricSpecFields);

const scalingRulesFields = {
  policies: optional(
    s
      .array(
        s.object({
          type: s.enum("Pods", "Percent").describe("What the value counts."),
          value: s.int32().describe("The most that may change."),
          periodSeconds: s.int32().describe("In how many seconds."),
        }),
      )
      .atomic(),
    "Bounds of a change.",
  ),
  selectPolicy: choice("Which of the bounds counts; Max unless given.", "Max", "Min", "Disabled"),
  stabilizationWindowSeconds: int32("Seconds to look back, so that the number does not go up and down."),
  tolerance: quantity("How far a metric may be off before anything happens."),
};

/** How fast the number of pods may change. */
export interface ScalingRules extends ObjectIn<typeof scalingRulesFields> {}

/** The schema of `ScalingRules`. */
const scalingRules: ObjectSchema<ScalingRules, ScalingRules> = s.object(scalingRulesFields);

const metricStatusFields = {
  type: given("Which of them is given."),
  resource: optional(
    s.object({ name: given("cpu or memory."), current: metricValueStatus.describe("The value now.") }),
    "What pods use of a resource.",
  ),
  containerResource: optional(
    s.object({
      name: given("cpu or memory."),
      container: given("The container."),
      current: metricValueStatus.describe("The value now."),
    }),
    "What one container of each pod uses of a resource.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("Which metric."),
      current: metricValueStatus.describe("The value now."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("Which metric."),
      current: metricValueStatus.describe("The value now."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("Which metric."),
      current: metricValueStatus.describe("The value now."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A measure, as last read. */
export interface MetricStatus extends ObjectIn<typeof metricStatusFields> {}

/** The schema of `MetricStatus`. */
export const metricStatus: ObjectSchema<MetricStatus, MetricStatus> = s.object(metricStatusFields);

/** Sets the number of pods by what they have to do. */
export const HorizontalPodAutoscaler = builtIn({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  description: "Sets the number of pods by what they have to do.",
  shortNames: ["hpa"],
  fields: {
    spec: s
      .object({
        scaleTargetRef: crossVersionObjectReference.describe("What is scaled."),
        minReplicas: int32("The least number of pods; 1 unless given."),
        maxReplicas: s.int32().describe("The greatest number of pods."),
        metrics: optional(
          s.array(metricSpec).atomic(),
          "What the number depends on; 80% of the cpu request unless given.",
        ),
        behavior: optional(
          s.object({ scaleUp: optional(scalingRules, "Upwards."), scaleDown: optional(scalingRules, "Downwards.") }),
          "How fast it may change.",
        ),
      })
      .describe("What is scaled, and by what."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        lastScaleTime: time("When the number last changed."),
        currentReplicas: int32("Pods there are."),
        desiredReplicas: s.int32().describe("Pods there should be.").default(0),
        currentMetrics: optional(s.array(metricStatus).atomic(), "What was last measured."),
        conditions: patched("merge", optional(conditions, "How far it is."), "type"),
      }),
      "What was decided.",
    ),
  },
});

/** The older form of the same: cpu only, everything else in annotations. */
export const HorizontalPodAutoscalerV1 = builtIn({
  group: "autoscaling",
  version: "v1",
  kind: "HorizontalPodAutoscaler",
  description: "Sets the number of pods by the cpu they use.",
  shortNames: ["hpa"],
  fields: {
    spec: s
      .object({
        scaleTargetRef: crossVersionObjectReference.atomic().describe("What is scaled."),
        minReplicas: int32("The least number of pods; 1 unless given."),
        maxReplicas: s.int32().describe("The greatest number of pods."),
        targetCPUUtilizationPercentage: int32("Percent of the cpu request to keep to, on average over the pods."),
      })
      .describe("What is scaled, and by what."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        lastScaleTime: time("When the number last changed."),
        currentReplicas: s.int32().describe("Pods there are."),
        desiredReplicas: s.int32().describe("Pods there should be."),
        currentCPUUtilizationPercentage: int32("Percent of the cpu request in use, on average over the pods."),
      }),
      "What was decided.",
    ),
  },
});
