import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  optional,
  optionalStringMap,
  optionalStrings,
} from "../field-builders.ts";

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
