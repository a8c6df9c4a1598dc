import { builtIn, s, int32, int64, optional, optionalTime } from "../field-builders.ts";
import { crossVersionObjectReference } from "./metric.ts";

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
