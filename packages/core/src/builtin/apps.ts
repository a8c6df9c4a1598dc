import { builtIn, choice, flag, int32, int64, intOrString, optional, patched, s, text, whole } from "./field.ts";
import { conditions, deploymentConditions, labelSelector, templateMeta } from "./meta.ts";
import { persistentVolumeClaimSpec, persistentVolumeClaimStatus } from "./persistent-volume.ts";
import { podTemplateSpec } from "./pod-spec.ts";

/** Keeps a number of equal pods and replaces them step by step when their template changes. */
export const Deployment = builtIn({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  description: "Keeps a number of equal pods and replaces them step by step when their template changes.",
  shortNames: ["deploy"],
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; 1 unless given."),
        selector: labelSelector.describe("Its pods by label; cannot be changed."),
        template: podTemplateSpec.describe("The pods."),
        strategy: patched(
          "retainKeys",
          optional(
            s.object({
              type: choice("Whether old pods go first; RollingUpdate unless given.", "Recreate", "RollingUpdate"),
              rollingUpdate: optional(
                s.object({
                  maxSurge: intOrString("Pods beyond the wanted number; 25% unless given."),
                  maxUnavailable: intOrString("Pods short of the wanted number; 25% unless given."),
                }),
                "For RollingUpdate.",
              ),
            }),
            "How pods are replaced.",
          ),
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Old replica sets to keep; 10 unless given."),
        progressDeadlineSeconds: int32("Seconds without progress after which a rollout has failed; 600 unless given."),
        paused: flag("Whether rollouts wait."),
      })
      .describe("What is wanted."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        replicas: int32("Pods there are."),
        updatedReplicas: int32("Pods of the current template."),
        readyReplicas: int32("Pods that are ready."),
        availableReplicas: int32("Pods that have been ready for long enough."),
        unavailableReplicas: int32("Pods that are still missing."),
        terminatingReplicas: int32("Pods that are going."),
        collisionCount: int32("How often a name was taken."),
        conditions: patched("merge", optional(deploymentConditions, "How far it is."), "type"),
      }),
      "What there is.",
    ),
  },
});

const claimTemplate = s.object({
  apiVersion: text("v1, if given."),
  kind: text("PersistentVolumeClaim, if given."),
  metadata: templateMeta.describe("Name, labels and annotations of the claims.").optional(),
  spec: persistentVolumeClaimSpec.describe("The storage that is wanted."),
  status: persistentVolumeClaimStatus.describe("Nothing in a template.").optional(),
});

/** Keeps numbered pods, each with a name and storage of its own. */
export const StatefulSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  description: "Keeps numbered pods, each with a name and storage of its own.",
  shortNames: ["sts"],
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; 1 unless given."),
        selector: labelSelector.describe("Its pods by label; cannot be changed."),
        serviceName: s.string().describe("The service that gives its pods names.").default(""),
        template: podTemplateSpec.describe("The pods."),
        volumeClaimTemplates: optional(s.array(claimTemplate).atomic(), "Claims that each pod gets, and keeps."),
        podManagementPolicy: choice(
          "Whether pods come one after the other; OrderedReady unless given.",
          "OrderedReady",
          "Parallel",
        ),
        updateStrategy: optional(
          s.object({
            type: choice(
              "Whether pods are replaced at once or when someone deletes them; RollingUpdate unless given.",
              "RollingUpdate",
              "OnDelete",
            ),
            rollingUpdate: optional(
              s.object({
                partition: int32("Number of the first pod to replace; those below stay."),
                maxUnavailable: intOrString("Pods that may be missing at once; 1 unless given."),
              }),
              "For RollingUpdate.",
            ),
          }),
          "How pods are replaced.",
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Old revisions to keep; 10 unless given."),
        ordinals: optional(
          s.object({ start: s.int32().describe("Number of the first pod.").default(0) }),
          "How pods are numbered.",
        ),
        persistentVolumeClaimRetentionPolicy: optional(
          s.object({
            whenDeleted: choice("When the set goes; Retain unless given.", "Retain", "Delete"),
            whenScaled: choice("When their pod goes; Retain unless given.", "Retain", "Delete"),
          }),
          "What becomes of claims.",
        ),
      })
      .describe("What is wanted."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        replicas: s.int32().describe("Pods there are.").default(0),
        readyReplicas: int32("Pods that are ready."),
        availableReplicas: s.int32().describe("Pods that have been ready for long enough.").default(0),
        currentReplicas: int32("Pods of the current revision."),
        updatedReplicas: int32("Pods of the update revision."),
        currentRevision: text("The revision that pods come from."),
        updateRevision: text("The revision that pods go to."),
        collisionCount: int32("How often a name was taken."),
        conditions: patched("merge", optional(conditions, "What stands in the way."), "type"),
      }),
      "What there is.",
    ),
  },
});

/** Keeps one pod on every node that fits. */
export const DaemonSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  description: "Keeps one pod on every node that fits.",
  shortNames: ["ds"],
  fields: {
    spec: s
      .object({
        selector: labelSelector.describe("Its pods by label; cannot be changed."),
        template: podTemplateSpec.describe("The pods."),
        updateStrategy: optional(
          s.object({
            type: choice(
              "Whether pods are replaced at once or when someone deletes them; RollingUpdate unless given.",
              "RollingUpdate",
              "OnDelete",
            ),
            rollingUpdate: optional(
              s.object({
                maxSurge: intOrString("Nodes that may have two pods at once; 0 unless given."),
                maxUnavailable: intOrString("Nodes whose pod may be missing; 1 unless given."),
              }),
              "For RollingUpdate.",
            ),
          }),
          "How pods are replaced.",
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Old revisions to keep; 10 unless given."),
      })
      .describe("What is wanted."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        desiredNumberScheduled: s.int32().describe("Nodes that should have a pod.").default(0),
        currentNumberScheduled: s.int32().describe("Nodes that should have a pod and do.").default(0),
        numberMisscheduled: s.int32().describe("Nodes that have a pod and should not.").default(0),
        numberReady: s.int32().describe("Nodes whose pod is ready.").default(0),
        updatedNumberScheduled: int32("Nodes whose pod is of the current template."),
        numberAvailable: int32("Nodes whose pod has been ready for long enough."),
        numberUnavailable: int32("Nodes whose pod is still missing."),
        collisionCount: int32("How often a name was taken."),
        conditions: patched("merge", optional(conditions, "What stands in the way."), "type"),
      }),
      "What there is.",
    ),
  },
});

/** Keeps a number of equal pods; a Deployment makes these. */
export const ReplicaSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  description: "Keeps a number of equal pods; a Deployment makes these.",
  shortNames: ["rs"],
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; 1 unless given."),
        selector: labelSelector.describe("Its pods by label; cannot be changed."),
        template: podTemplateSpec.describe("The pods."),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
      })
      .describe("What is wanted."),
    status: optional(
      s.object({
        observedGeneration: int64("The generation that this status is about."),
        replicas: s.int32().describe("Pods there are.").default(0),
        fullyLabeledReplicas: int32("Pods with all labels of the template."),
        readyReplicas: int32("Pods that are ready."),
        availableReplicas: int32("Pods that have been ready for long enough."),
        terminatingReplicas: int32("Pods that are going."),
        conditions: patched("merge", optional(conditions, "What stands in the way."), "type"),
      }),
      "What there is.",
    ),
  },
});

/** An old template of a StatefulSet or DaemonSet, to go back to. */
export const ControllerRevision = builtIn({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  description: "An old template of a StatefulSet or DaemonSet, to go back to.",
  fields: { revision: s.int64().describe("Its number.").default(0), data: whole("What was wanted then.") },
});
