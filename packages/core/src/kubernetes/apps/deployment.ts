import { deploymentReadiness } from "../../readiness-rule/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  int32,
  int64,
  intOrString,
  optional,
  withPatchStrategy,
} from "../field-builders.ts";
import { deploymentConditions, labelSelector } from "../meta.ts";
import { podTemplateSpec } from "../core/pod-spec.ts";

/** Runs a number of identical pods and rolls out changes of their template. */
export const Deployment = builtIn({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  description: "Runs a number of identical pods and rolls out changes of their template.",
  shortNames: ["deploy"],
  readiness: { of: deploymentReadiness, isAlwaysObserved: true },
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; defaults to 1."),
        selector: labelSelector.describe("Selector of its pods; immutable."),
        template: podTemplateSpec.describe("The pods."),
        strategy: withPatchStrategy(
          "retainKeys",
          optional(
            s.object({
              type: optionalEnum(
                "Whether old pods are deleted first (Recreate); defaults to RollingUpdate.",
                "Recreate",
                "RollingUpdate",
              ),
              rollingUpdate: optional(
                s.object({
                  maxSurge: intOrString("Maximum number of pods above the desired replicas; defaults to 25%."),
                  maxUnavailable: intOrString("Maximum number of unavailable pods; defaults to 25%."),
                }),
                "For RollingUpdate.",
              ),
            }),
            "How pods are replaced.",
          ),
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Old replica sets to keep; defaults to 10."),
        progressDeadlineSeconds: int32("Seconds without progress after which a rollout has failed; defaults to 600."),
        paused: optionalBoolean("Whether the rollout is paused."),
      })
      .describe("Desired state."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        replicas: int32("Number of pods."),
        updatedReplicas: int32("Number of pods with the current template."),
        readyReplicas: int32("Number of ready pods."),
        availableReplicas: int32("Number of available pods."),
        unavailableReplicas: int32("Number of unavailable pods."),
        terminatingReplicas: int32("Number of terminating pods."),
        collisionCount: int32("Number of name collisions."),
        conditions: withPatchStrategy("merge", optional(deploymentConditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});
