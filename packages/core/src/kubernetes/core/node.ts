import { conditionReadiness } from "../../readiness-rule/index.ts";
import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  optionalBoolean,
  requiredString,
  int64,
  optional,
  withPatchStrategy,
  resourceList,
  optionalString,
  optionalStrings,
  optionalTime,
} from "../field-builders.ts";
import { nodeConditions } from "../meta.ts";

const taintFields = {
  key: requiredString("Key of the taint."),
  value: optionalString("Value of the taint."),
  effect: s.enum("NoSchedule", "PreferNoSchedule", "NoExecute").describe("Effect on pods that do not tolerate it."),
  timeAdded: optionalTime("When the taint was added."),
};

/** A taint: pods that do not tolerate it are repelled from the node. */
export interface Taint extends ObjectIn<typeof taintFields> {}

/** The schema of `Taint`. */
export const taint: ObjectSchema<Taint, Taint> = s.object(taintFields);

const nodeConfigSource = s.object({
  configMap: optional(
    s.object({
      kubeletConfigKey: requiredString("The key."),
      name: requiredString("Name of the config map."),
      namespace: requiredString("Its namespace."),
      resourceVersion: optionalString("Its resourceVersion."),
      uid: optionalString("Its uid."),
    }),
    "Deprecated.",
  ),
});

/** A machine that runs pods. */
export const Node = builtIn({
  group: "",
  version: "v1",
  kind: "Node",
  description: "A machine that runs pods.",
  shortNames: ["no"],
  scope: "Cluster",
  readiness: { of: conditionReadiness("Ready") },
  fields: {
    spec: optional(
      s.object({
        podCIDR: optionalString("Network of its pods."),
        podCIDRs: withPatchStrategy(
          "merge",
          optional(s.array(s.string()).set(), "Networks of its pods, one for each family."),
        ),
        providerID: optionalString("ID of the node at the cloud provider."),
        taints: optional(s.array(taint).atomic(), "Taints of the node."),
        unschedulable: optionalBoolean("Whether no new pods are scheduled."),
        configSource: optional(nodeConfigSource, "Deprecated."),
        externalID: optionalString("Deprecated."),
      }),
      "The desired state.",
    ),
    status: optional(
      s.object({
        addresses: withPatchStrategy(
          "merge",
          optional(
            s
              .array(
                s.object({
                  type: requiredString("Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS."),
                  address: requiredString("The address."),
                }),
              )
              .keyedBy("type"),
            "Addresses of the node.",
          ),
          "type",
        ),
        capacity: resourceList("Capacity."),
        allocatable: resourceList("Allocatable resources."),
        conditions: withPatchStrategy("merge", optional(nodeConditions, "Its status."), "type"),
        phase: optionalString("Deprecated."),
        nodeInfo: optional(
          s.object({
            architecture: optionalString("Processor family."),
            bootID: optionalString("Changes with every boot."),
            containerRuntimeVersion: optionalString("Container runtime and its version."),
            kernelVersion: optionalString("Version of the kernel."),
            kubeProxyVersion: optionalString("Deprecated."),
            kubeletVersion: optionalString("Version of the kubelet."),
            machineID: optionalString("Identity of the machine in the cluster."),
            operatingSystem: optionalString("linux or windows."),
            osImage: optionalString("Name of the operating system's release."),
            swap: optional(s.object({ capacity: int64("Bytes of swap.") }), "Its swap."),
            systemUUID: optionalString("Identity of the hardware."),
          }),
          "Versions and IDs of the node.",
        ),
        daemonEndpoints: optional(
          s.object({
            kubeletEndpoint: optional(
              s.object({ Port: s.int32().describe("Number of the port.") }),
              "Port of the kubelet.",
            ),
          }),
          "Ports of its daemons.",
        ),
        images: optional(
          s.array(s.object({ names: optionalStrings("Names of the image."), sizeBytes: int64("Its size.") })).atomic(),
          "Images on the node.",
        ),
        runtimeHandlers: optional(
          s
            .array(
              s.object({
                name: s.string().describe("Its name; empty for the default one.").default(""),
                features: optional(
                  s.object({
                    recursiveReadOnlyMounts: optionalBoolean("Whether mounts can be read-only at all depths."),
                    userNamespaces: optionalBoolean("Whether user namespaces are supported."),
                  }),
                  "Features of the node.",
                ),
              }),
            )
            .atomic(),
          "Container runtimes it has.",
        ),
        features: optional(
          s.object({
            supplementalGroupsPolicy: optionalBoolean("Whether the runtime supports supplementalGroupsPolicy."),
          }),
          "Features of the runtime.",
        ),
        declaredFeatures: optionalStrings("Features that the node declares."),
        volumesAttached: optional(
          s
            .array(s.object({ name: requiredString("The volume."), devicePath: requiredString("Its device.") }))
            .atomic(),
          "Volumes attached to it.",
        ),
        volumesInUse: optionalStrings("Volumes mounted on it."),
        config: optional(
          s.object({
            active: optional(nodeConfigSource, "Deprecated."),
            assigned: optional(nodeConfigSource, "Deprecated."),
            error: optionalString("Deprecated."),
            lastKnownGood: optional(nodeConfigSource, "Deprecated."),
          }),
          "Deprecated.",
        ),
      }),
      "Node information and status.",
    ),
  },
});
