import { builtIn, int64, optional, s, text, texts } from "./field.ts";
import { objectReference } from "./reference.ts";

/** Puts a pod on a node. */
export const Binding = builtIn({
  group: "",
  version: "v1",
  kind: "Binding",
  description: "Puts a pod on a node.",
  fields: { target: objectReference.describe("The node.") },
});

/** Asks for a pod to leave, unless that would hurt what it is part of. */
export const Eviction = builtIn({
  group: "policy",
  version: "v1",
  kind: "Eviction",
  description: "Asks for a pod to leave, unless that would hurt what it is part of.",
  fields: {
    deleteOptions: optional(
      s.object({
        apiVersion: text("Group and version of these options."),
        kind: text("DeleteOptions."),
        dryRun: texts("All to only try."),
        gracePeriodSeconds: int64("Seconds the pod has to go in peace."),
        orphanDependents: s.boolean().describe("The older form of propagationPolicy.").optional(),
        ignoreStoreReadErrorWithClusterBreakingPotential: s.boolean().describe("Not for pods.").optional(),
        preconditions: optional(
          s.object({ uid: text("The pod must be this one."), resourceVersion: text("The pod must be in this state.") }),
          "What must hold.",
        ),
        propagationPolicy: text("What becomes of what the pod owns."),
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
  description: "How many of something there are, and how many there should be.",
  fields: {
    spec: optional(s.object({ replicas: s.int32().describe("How many there should be.").optional() }), "The wish."),
    status: optional(
      s.object({
        replicas: s.int32().describe("How many there are."),
        selector: text("The pods, as a label selector in a query."),
      }),
      "The present.",
    ),
  },
});
