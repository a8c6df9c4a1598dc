import { builtIn, int64, optional, s, optionalString, optionalStrings } from "./field-builders.ts";
import { objectReference } from "./reference.ts";

/** Assigns a pod to a node. */
export const Binding = builtIn({
  group: "",
  version: "v1",
  kind: "Binding",
  description: "Binds a pod to a node.",
  fields: { target: objectReference.describe("The node.") },
});

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

/** How many of something there are, and how many there should be. */
export const Scale = builtIn({
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  description: "Actual and desired number of replicas.",
  fields: {
    spec: optional(
      s.object({ replicas: s.int32().describe("Desired number of replicas.").optional() }),
      "The request.",
    ),
    status: optional(
      s.object({
        replicas: s.int32().describe("Actual number of replicas."),
        selector: optionalString("The pods, as a label selector in a query."),
      }),
      "The current state.",
    ),
  },
});
