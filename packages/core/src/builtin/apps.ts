import {
  builtIn,
  optionalEnum,
  optionalBoolean,
  int32,
  int64,
  intOrString,
  optional,
  withPatchStrategy,
  s,
  optionalString,
  atomicJsonObject,
} from "./field-builders.ts";
import { conditions, deploymentConditions, labelSelector, templateMeta } from "./meta.ts";
import { persistentVolumeClaimSpec, persistentVolumeClaimStatus } from "./persistent-volume.ts";
import { podTemplateSpec } from "./pod-spec.ts";

/** Runs a number of identical pods and rolls out changes of their template. */
export const Deployment = builtIn({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  description: "Runs a number of identical pods and rolls out changes of their template.",
  shortNames: ["deploy"],
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

const claimTemplate = s.object({
  apiVersion: optionalString("v1, if given."),
  kind: optionalString("PersistentVolumeClaim, if set."),
  metadata: templateMeta.describe("Name, labels and annotations of the claims.").optional(),
  spec: persistentVolumeClaimSpec.describe("The requested storage."),
  status: persistentVolumeClaimStatus.describe("Not used in a template.").optional(),
});

/** Runs numbered pods, each with a stable name and storage. */
export const StatefulSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  description: "Runs numbered pods, each with a stable name and storage.",
  shortNames: ["sts"],
  fields: {
    spec: s
      .object({
        replicas: int32("How many pods; defaults to 1."),
        selector: labelSelector.describe("Selector of its pods; immutable."),
        serviceName: s.string().describe("Headless service that defines the host names of its pods.").default(""),
        template: podTemplateSpec.describe("The pods."),
        volumeClaimTemplates: optional(
          s.array(claimTemplate).atomic(),
          "Templates of the PersistentVolumeClaims of each pod.",
        ),
        podManagementPolicy: optionalEnum(
          "Whether pods are created in order or in parallel; defaults to OrderedReady.",
          "OrderedReady",
          "Parallel",
        ),
        updateStrategy: optional(
          s.object({
            type: optionalEnum(
              "Whether pods are replaced automatically or only after they are deleted; defaults to RollingUpdate.",
              "RollingUpdate",
              "OnDelete",
            ),
            rollingUpdate: optional(
              s.object({
                partition: int32("Number of the first pod to replace; those below stay."),
                maxUnavailable: intOrString("Maximum unavailable pods; defaults to 1."),
              }),
              "For RollingUpdate.",
            ),
          }),
          "How pods are replaced.",
        ),
        minReadySeconds: int32("Seconds a pod must be ready to count as available."),
        revisionHistoryLimit: int32("Number of old revisions to retain; defaults to 10."),
        ordinals: optional(
          s.object({ start: s.int32().describe("Number of the first pod.").default(0) }),
          "How pods are numbered.",
        ),
        persistentVolumeClaimRetentionPolicy: optional(
          s.object({
            whenDeleted: optionalEnum("When the set is deleted; defaults to Retain.", "Retain", "Delete"),
            whenScaled: optionalEnum("When the pod is scaled down; defaults to Retain.", "Retain", "Delete"),
          }),
          "Retention policy of the claims.",
        ),
      })
      .describe("Desired state."),
    status: optional(
      s.object({
        observedGeneration: int64("Generation observed by the controller."),
        replicas: s.int32().describe("Number of pods.").default(0),
        readyReplicas: int32("Number of ready pods."),
        availableReplicas: s.int32().describe("Number of available pods.").default(0),
        currentReplicas: int32("Number of pods of the current revision."),
        updatedReplicas: int32("Number of pods of the update revision."),
        currentRevision: optionalString("The current revision."),
        updateRevision: optionalString("The update revision."),
        collisionCount: int32("Number of name collisions."),
        conditions: withPatchStrategy("merge", optional(conditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});

/** Runs one pod on every matching node. */
export const DaemonSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  description: "Runs one pod on every matching node.",
  shortNames: ["ds"],
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

/** Runs a number of identical pods; managed by a Deployment. */
export const ReplicaSet = builtIn({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  description: "Runs a number of identical pods; managed by a Deployment.",
  shortNames: ["rs"],
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

/** A revision of the template of a StatefulSet or DaemonSet, for rollbacks. */
export const ControllerRevision = builtIn({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  description: "A revision of the template of a StatefulSet or DaemonSet, for rollbacks.",
  fields: { revision: s.int64().describe("Revision number.").default(0), data: atomicJsonObject("The recorded data.") },
});
