import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  requiredString,
  int32,
  optional,
  optionalString,
  optionalStringMap,
  optionalTime,
} from "../field-builders.ts";
import { persistentVolumeSpec } from "../core/persistent-volume.ts";

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
