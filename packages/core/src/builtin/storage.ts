import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  s,
  optionalString,
  optionalStringMap,
  optionalStrings,
  optionalTime,
} from "./field-builders.ts";
import { persistentVolumeSpec } from "./persistent-volume.ts";

/** A class of storage and its provisioner. */
export const StorageClass = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  description: "A class of storage, and its provisioner.",
  shortNames: ["sc"],
  scope: "Cluster",
  fields: {
    provisioner: requiredString("The provisioner; immutable."),
    parameters: optionalStringMap("Parameters of the provisioner."),
    reclaimPolicy: optionalEnum("Reclaim policy of volumes; defaults to Delete.", "Retain", "Delete", "Recycle"),
    volumeBindingMode: optionalEnum(
      "Whether a volume is provisioned at once or for its first pod; defaults to Immediate.",
      "Immediate",
      "WaitForFirstConsumer",
    ),
    allowVolumeExpansion: optionalBoolean("Whether volumes can be expanded."),
    allowedTopologies: optional(
      s
        .array(
          s
            .object({
              matchLabelExpressions: optional(
                s
                  .array(
                    s.object({
                      key: requiredString("The label."),
                      values: s.array(s.string()).atomic().describe("One of these."),
                    }),
                  )
                  .atomic(),
                "Labels of nodes.",
              ),
            })
            .atomic(),
        )
        .atomic(),
      "Topologies in which volumes may be provisioned.",
    ),
    mountOptions: optionalStrings("Mount options; not validated."),
  },
});

const volumeErrorFields = {
  time: optionalTime("When the error occurred."),
  message: optionalString("Human-readable message."),
  errorCode: int32("gRPC error code of the driver."),
};

/** An error of a volume. */
export interface VolumeError extends ObjectIn<typeof volumeErrorFields> {}

/** The schema of `VolumeError`. */
const volumeError: ObjectSchema<VolumeError, VolumeError> = s.object(volumeErrorFields);

/** Requests that a volume is attached to a node. */
export const VolumeAttachment = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  description: "A request to attach a volume to a node.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        attacher: requiredString("Name of the driver."),
        nodeName: requiredString("The node."),
        source: s
          .object({
            persistentVolumeName: optionalString("The volume by name."),
            inlineVolumeSpec: optional(persistentVolumeSpec, "The volume itself, for migrated in-tree volumes."),
          })
          .describe("The volume."),
      })
      .describe("Volume and node of the attachment."),
    status: optional(
      s.object({
        attached: s.boolean().describe("Whether it is attached.").default(false),
        attachmentMetadata: optionalStringMap("Volume attributes for mounting."),
        attachError: optional(volumeError, "Last error of an attach."),
        detachError: optional(volumeError, "Last error of a detach."),
      }),
      "Whether it is.",
    ),
  },
});

/** A CSI driver and its capabilities. */
export const CSIDriver = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIDriver",
  description: "A CSI driver and its capabilities.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        attachRequired: optionalBoolean("Whether volumes are attached before they are mounted; defaults to true."),
        podInfoOnMount: optionalBoolean("Whether the driver receives information about the pod."),
        volumeLifecycleModes: optional(
          s.array(s.enum("Persistent", "Ephemeral")).set(),
          "Supported volume lifecycle modes; defaults to Persistent.",
        ),
        fsGroupPolicy: optionalEnum(
          "Whether the group of files may be changed.",
          "ReadWriteOnceWithFSType",
          "File",
          "None",
        ),
        storageCapacity: optionalBoolean("Whether scheduling considers the storage capacity."),
        tokenRequests: optional(
          s
            .array(
              s.object({
                audience: requiredString("Audience of the token."),
                expirationSeconds: int64("Lifetime."),
              }),
            )
            .atomic(),
          "Tokens of the pod's service account that the driver needs.",
        ),
        serviceAccountTokenInSecrets: optionalBoolean("Whether these tokens are passed in the secrets field."),
        requiresRepublish: optionalBoolean("Whether NodePublishVolume is called periodically for a mounted volume."),
        preventPodSchedulingIfMissing: optionalBoolean("Whether pods are scheduled only to nodes with the driver."),
        seLinuxMount: optionalBoolean("Whether it can mount with an SELinux label."),
        nodeAllocatableUpdatePeriodSeconds: int64(
          "Interval in seconds at which the volume limit of a node is updated.",
        ),
      })
      .describe("Capabilities of the driver."),
  },
});
