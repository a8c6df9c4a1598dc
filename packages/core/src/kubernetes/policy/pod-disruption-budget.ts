import { builtIn, s, optionalEnum, int64, intOrString, optional, withPatchStrategy } from "../field-builders.ts";
import { labelSelector, standardConditions } from "../meta.ts";

/** Limits how many pods voluntary disruptions may evict. */
export const PodDisruptionBudget = builtIn({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  description: "Limits the number of pods that are disrupted at the same time.",
  shortNames: ["pdb"],
  fields: {
    spec: optional(
      s.object({
        selector: withPatchStrategy(
          "replace",
          optional(labelSelector, "The pods by label; all of the namespace when empty."),
        ),
        minAvailable: intOrString("Minimum available pods, as a number or a percentage."),
        maxUnavailable: intOrString("Maximum unavailable pods, as a number or a percentage."),
        unhealthyPodEvictionPolicy: optionalEnum(
          "Whether pods that are not ready may always be evicted.",
          "IfHealthyBudget",
          "AlwaysAllow",
        ),
      }),
      "The pods, and how many.",
    ),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        disruptionsAllowed: s.int32().describe("Pods that may be evicted now.").default(0),
        currentHealthy: s.int32().describe("Number of ready pods.").default(0),
        desiredHealthy: s.int32().describe("Pods that must be ready.").default(0),
        expectedPods: s.int32().describe("Pods that count.").default(0),
        disruptedPods: optional(s.map(s.dateTime()), "Pods whose eviction is in progress, with times."),
        conditions: withPatchStrategy("merge", optional(standardConditions, "Conditions."), "type"),
      }),
      "Current number of replicas.",
    ),
  },
});
