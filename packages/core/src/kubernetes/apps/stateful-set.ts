import { statefulSetReadiness } from "../../readiness-rule/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  int32,
  int64,
  intOrString,
  optional,
  withPatchStrategy,
  optionalString,
} from "../field-builders.ts";
import { conditions, labelSelector, templateMeta } from "../meta.ts";
import { persistentVolumeClaimSpec, persistentVolumeClaimStatus } from "../core/persistent-volume-claim.ts";
import { podTemplateSpec } from "../core/pod-spec.ts";

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
  readiness: { of: statefulSetReadiness, isAlwaysObserved: true },
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
