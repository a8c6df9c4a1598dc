import { builtIn, s, int64, optional, optionalString, optionalStrings } from "../field-builders.ts";

/** Evicts a pod, subject to disruption budgets. */
export const Eviction = builtIn({
  group: "policy",
  version: "v1",
  kind: "Eviction",
  description: "Evicts a pod, subject to disruption budgets.",
  fields: {
    deleteOptions: optional(
      s.object({
        apiVersion: optionalString("Group and version of these options."),
        kind: optionalString("DeleteOptions."),
        dryRun: optionalStrings("All for a dry run."),
        gracePeriodSeconds: int64("Grace period of the pod in seconds."),
        orphanDependents: s.boolean().describe("Deprecated: use propagationPolicy.").optional(),
        ignoreStoreReadErrorWithClusterBreakingPotential: s.boolean().describe("Not for pods.").optional(),
        preconditions: optional(
          s.object({
            uid: optionalString("The pod must be this one."),
            resourceVersion: optionalString("The pod must be in this state."),
          }),
          "Preconditions.",
        ),
        propagationPolicy: optionalString("How dependents of the pod are deleted."),
      }),
      "How the pod is deleted.",
    ),
  },
});
