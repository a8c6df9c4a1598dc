import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  int32,
  int64,
  optional,
  withPatchStrategy,
  quantity,
  optionalTime,
} from "../field-builders.ts";
import { conditions } from "../meta.ts";
import { metricSpec, metricStatus, crossVersionObjectReference } from "./metric.ts";

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
