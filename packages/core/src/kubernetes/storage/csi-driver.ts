import { builtIn, s, optionalEnum, optionalBoolean, requiredString, int64, optional } from "../field-builders.ts";

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
