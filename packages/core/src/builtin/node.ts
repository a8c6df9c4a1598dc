import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, flag, given, int64, optional, quantities, record, s, text, texts, time } from "./field.ts";
import { nodeConditions } from "./meta.ts";

const taintFields = {
  key: given("Its key."),
  value: text("Its value."),
  effect: s.enum("NoSchedule", "PreferNoSchedule", "NoExecute").describe("What it does to pods."),
  timeAdded: time("When it was put there."),
};

/** What keeps pods off a node, unless they tolerate it. */
export interface Taint extends ObjectIn<typeof taintFields> {}

/** The schema of `Taint`. */
export const taint: ObjectSchema<Taint, Taint> = s.object(taintFields);

/** A machine that runs pods. */
export const Node = builtIn({
  group: "",
  version: "v1",
  kind: "Node",
  shortNames: ["no"],
  scope: "Cluster",
  fields: {
    spec: optional(
      s.object({
        podCIDR: text("Network of its pods."),
        podCIDRs: optional(s.array(s.string()).set(), "Networks of its pods, one for each family."),
        providerID: text("What the cloud calls it."),
        taints: optional(s.array(taint).atomic(), "What keeps pods off."),
        unschedulable: flag("Whether new pods stay away."),
        configSource: record("Obsolete."),
        externalID: text("Obsolete."),
      }),
      "What is wanted of it.",
    ),
    status: optional(
      s.object({
        addresses: optional(
          s
            .array(
              s.object({
                type: given("Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS."),
                address: given("The address."),
              }),
            )
            .keyedBy("type"),
          "How to reach it.",
        ),
        capacity: quantities("What it has."),
        allocatable: quantities("What pods can have of it."),
        conditions: optional(nodeConditions, "How it fares."),
        phase: text("Obsolete."),
        nodeInfo: optional(
          s.object({
            architecture: text("Processor family."),
            bootID: text("Changes with every boot."),
            containerRuntimeVersion: text("Container runtime and its version."),
            kernelVersion: text("Version of the kernel."),
            kubeProxyVersion: text("Obsolete."),
            kubeletVersion: text("Version of the kubelet."),
            machineID: text("Identity of the machine in the cluster."),
            operatingSystem: text("linux or windows."),
            osImage: text("Name of the operating system's release."),
            swap: optional(s.object({ capacity: int64("Bytes of swap.") }), "Its swap."),
            systemUUID: text("Identity of the hardware."),
          }),
          "What it is.",
        ),
        daemonEndpoints: optional(
          s.object({
            kubeletEndpoint: optional(
              s.object({ Port: s.int32().describe("Number of the port.") }),
              "Where the kubelet listens.",
            ),
          }),
          "Where its services listen.",
        ),
        images: optional(
          s.array(s.object({ names: texts("What it is called."), sizeBytes: int64("Its size.") })).atomic(),
          "Images it holds.",
        ),
        runtimeHandlers: optional(
          s
            .array(
              s.object({
                name: s.string().describe("Its name; empty for the default one.").default(""),
                features: optional(
                  s.object({
                    recursiveReadOnlyMounts: flag("Whether mounts can be read-only at all depths."),
                    userNamespaces: flag("Whether pods can have user ids of their own."),
                  }),
                  "What it can do.",
                ),
              }),
            )
            .atomic(),
          "Container runtimes it has.",
        ),
        features: optional(
          s.object({ supplementalGroupsPolicy: flag("Whether the runtime heeds the policy for groups.") }),
          "What its runtime can do.",
        ),
        declaredFeatures: texts("What it says it can do."),
        volumesAttached: optional(
          s.array(s.object({ name: given("The volume."), devicePath: given("Its device.") })).atomic(),
          "Volumes attached to it.",
        ),
        volumesInUse: texts("Volumes mounted on it."),
        config: record("Obsolete."),
      }),
      "What it is, and how it fares.",
    ),
  },
});
