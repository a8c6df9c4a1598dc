import { replicaSetReadiness } from "../../readiness-rule/index.ts";
import { builtIn, s, int32, int64, optional, withPatchStrategy } from "../field-builders.ts";
import { conditions, labelSelector } from "../meta.ts";
import { podTemplateSpec } from "../core/pod-spec.ts";

/** Runs a number of identical pods; managed by a Deployment. */
export const ReplicaSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  description: "Runs a number of identical pods; managed by a Deployment.",
  shortNames: ["rs"],
  readiness: { of: replicaSetReadiness, isAlwaysObserved: true },
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; defaults to 1."),
        selector: labelSelector.describe("Selector of its pods; immutable."),
        template: podTemplateSpec.describe("The pods."),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
      })
      .describe("Desired state."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        replicas: s.int32().describe("Number of pods.").default(0),
        fullyLabeledReplicas: int32("Number of pods with all labels of the template."),
        readyReplicas: int32("Number of ready pods."),
        availableReplicas: int32("Number of available pods."),
        terminatingReplicas: int32("Number of terminating pods."),
        conditions: withPatchStrategy("merge", optional(conditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});
