import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, choice, flag, given, int32, int64, optional, s, text, textMap, texts, time } from "./field.ts";
import { persistentVolumeSpec } from "./persistent-volume.ts";

/** A kind of storage, and who makes it. */
export const StorageClass = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  description: "A kind of storage, and who makes it.",
  shortNames: ["sc"],
  scope: "Cluster",
  fields: {
    provisioner: given("Who makes volumes; cannot be changed."),
    parameters: textMap("Settings of the maker."),
    reclaimPolicy: choice(
      "What becomes of a volume when its claim goes; Delete unless given.",
      "Retain",
      "Delete",
      "Recycle",
    ),
    volumeBindingMode: choice(
      "Whether a volume is made at once or for its first pod; Immediate unless given.",
      "Immediate",
      "WaitForFirstConsumer",
    ),
    allowVolumeExpansion: flag("Whether volumes may grow."),
    allowedTopologies: optional(
      s
        .array(
          s
            .object({
              matchLabelExpressions: optional(
                s
                  .array(
                    s.object({
                      key: given("The label."),
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
      "Where volumes may be made.",
    ),
    mountOptions: texts("Options of mount; unchecked."),
  },
});

const volumeErrorFields = {
  time: time("When."),
  message: text("What, for people."),
  errorCode: int32("What, as the driver numbers it."),
};

/** What went wrong with a volume. */
export interface VolumeError extends ObjectIn<typeof volumeErrorFields> {}

/** The schema of `VolumeError`. */
const volumeError: ObjectSchema<VolumeError, VolumeError> = s.object(volumeErrorFields);

/** That a volume shall be attached to a node. */
export const VolumeAttachment = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  description: "That a volume shall be attached to a node.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        attacher: given("The driver that does it."),
        nodeName: given("The node."),
        source: s
          .object({
            persistentVolumeName: text("The volume by name."),
            inlineVolumeSpec: optional(persistentVolumeSpec, "The volume itself, for old in-tree ones."),
          })
          .describe("The volume."),
      })
      .describe("Which volume, and where."),
    status: optional(
      s.object({
        attached: s.boolean().describe("Whether it is attached.").default(false),
        attachmentMetadata: textMap("What mounting needs to know."),
        attachError: optional(volumeError, "Why attaching failed last."),
        detachError: optional(volumeError, "Why detaching failed last."),
      }),
      "Whether it is.",
    ),
  },
});

/** A storage driver, and what it can do. */
export const CSIDriver = builtIn({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIDriver",
  description: "A storage driver, and what it can do.",
  scope: "Cluster",
  fields: {
    spec: s
      .object({
        attachRequired: flag("Whether volumes are attached before they are mounted; true unless given."),
        podInfoOnMount: flag("Whether the driver is told about the pod."),
        volumeLifecycleModes: optional(
          s.array(s.enum("Persistent", "Ephemeral")).set(),
          "What volumes it makes; Persistent unless given.",
        ),
        fsGroupPolicy: choice("Whether the group of files may be changed.", "ReadWriteOnceWithFSType", "File", "None"),
        storageCapacity: flag("Whether scheduling looks at the space that is left."),
        tokenRequests: optional(
          s
            .array(
              s.object({
                audience: given("Who is to accept it."),
                expirationSeconds: int64("How long it is good for."),
              }),
            )
            .atomic(),
          "Tokens of the pod's service account that the driver needs.",
        ),
        serviceAccountTokenInSecrets: flag("Whether those tokens come with its secrets."),
        requiresRepublish: flag("Whether it is called again and again for the same mount."),
        preventPodSchedulingIfMissing: flag("Whether pods that need it go only to nodes that have it."),
        seLinuxMount: flag("Whether it can mount with an SELinux label."),
        nodeAllocatableUpdatePeriodSeconds: int64("Seconds between looks at how many volumes a node can take."),
      })
      .describe("What it can do."),
  },
});
