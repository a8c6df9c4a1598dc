import { builtIn, choice, int64, intOrString, optional, patched, s } from "./field.ts";
import { labelSelector, standardConditions } from "./meta.ts";

/** How many pods may be missing while nodes are emptied. */
export const PodDisruptionBudget = builtIn({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  description: "How many pods may be missing while nodes are emptied.",
  shortNames: ["pdb"],
  fields: {
    spec: optional(
      s.object({
        selector: patched("replace", optional(labelSelector, "The pods by label; all of the namespace when empty.")),
        minAvailable: intOrString("Pods that must stay, as a number or a share."),
        maxUnavailable: intOrString("Pods that may be missing, as a number or a share."),
        unhealthyPodEvictionPolicy: choice(
          "Whether pods that are not ready may always be evicted.",
          "IfHealthyBudget",
          "AlwaysAllow",
        ),
      }),
      "The pods, and how many.",
    ),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        disruptionsAllowed: s.int32().describe("Pods that may be evicted now.").default(0),
        currentHealthy: s.int32().describe("Pods that are ready.").default(0),
        desiredHealthy: s.int32().describe("Pods that must be ready.").default(0),
        expectedPods: s.int32().describe("Pods that count.").default(0),
        disruptedPods: optional(s.map(s.dateTime()), "Pods whose eviction is under way, and since when."),
        conditions: patched("merge", optional(standardConditions, "How far it is."), "type"),
      }),
      "How many just now.",
    ),
  },
});
