import { daemonSetReadiness } from "../../readiness-rule/index.ts";
import { builtIn, s, optionalEnum, int32, int64, intOrString, optional, withPatchStrategy } from "../field-builders.ts";
import { conditions, labelSelector } from "../meta.ts";
import { podTemplateSpec } from "../core/pod-spec.ts";

/** Runs one pod on every matching node. */
export const DaemonSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  description: "Runs one pod on every matching node.",
  shortNames: ["ds"],
  readiness: { of: daemonSetReadiness, isAlwaysObserved: true },
  fields: {
    spec: s
      .object({
        selector: labelSelector.describe("Selector of its pods; immutable."),
        template: podTemplateSpec.describe("The pods."),
        updateStrategy: optional(
          s.object({
            type: optionalEnum(
              "Whether pods are replaced automatically or only after they are deleted; defaults to RollingUpdate.",
              "RollingUpdate",
              "OnDelete",
            ),
            rollingUpdate: optional(
              s.object({
                maxSurge: intOrString("Nodes that may have two pods at once; defaults to 0."),
                maxUnavailable: intOrString("Maximum number of nodes without an available pod; defaults to 1."),
              }),
              "For RollingUpdate.",
            ),
          }),
          "How pods are replaced.",
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Number of old revisions to retain; defaults to 10."),
      })
      .describe("Desired state."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        desiredNumberScheduled: s.int32().describe("Number of nodes that should have a pod.").default(0),
        currentNumberScheduled: s.int32().describe("Number of nodes that should have a pod and have one.").default(0),
        numberMisscheduled: s.int32().describe("Number of nodes that have a pod and should not.").default(0),
        numberReady: s.int32().describe("Number of nodes with a ready pod.").default(0),
        updatedNumberScheduled: int32("Number of nodes whose pod has the current template."),
        numberAvailable: int32("Number of nodes with an available pod."),
        numberUnavailable: int32("Number of nodes without an available pod."),
        collisionCount: int32("Number of name collisions."),
        conditions: withPatchStrategy("merge", optional(conditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});
