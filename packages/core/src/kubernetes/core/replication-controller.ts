import { replicaSetReadiness } from "../../readiness-rule/index.ts";
import { builtIn, s, int32, int64, optional, withPatchStrategy } from "../field-builders.ts";
import { conditions } from "../meta.ts";
import { podTemplateSpec } from "./pod-spec.ts";

/** Runs a number of identical pods; superseded by Deployment. */
export const ReplicationController = builtIn({
  group: "",
  version: "v1",
  kind: "ReplicationController",
  description: "Runs a number of identical pods; superseded by Deployment.",
  shortNames: ["rc"],
  readiness: { of: replicaSetReadiness },
  fields: {
    spec: s
      .object({
        replicas: s.int32().describe("Desired number of pods.").default(1),
        minReadySeconds: s.int32().describe("Seconds a pod must be ready to count as available.").default(0),
        selector: optional(s.map(s.string()).atomic(), "Labels of its pods; defaults to those of the template."),
        template: podTemplateSpec.describe("The pods."),
      })
      .describe("Desired state."),
    status: optional(
      s.object({
        replicas: s.int32().describe("Number of pods.").default(0),
        fullyLabeledReplicas: int32("Number of pods with all labels of the template."),
        readyReplicas: int32("Number of ready pods."),
        availableReplicas: int32("Number of available pods."),
        observedGeneration: int64("Generation observed by the controller."),
        conditions: withPatchStrategy("merge", optional(conditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});
