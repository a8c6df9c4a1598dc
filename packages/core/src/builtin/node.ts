import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, flag, given, int64, optional, patched, quantities, s, text, texts, time } from "./field.ts";
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

const nodeConfigSource = s.object({
  configMap: optional(
    s.object({
      kubeletConfigKey: given("The key."),
      name: given("Name of the config map."),
      namespace: given("Its namespace."),
      resourceVersion: text("Its state."),
      uid: text("Its uid."),
    }),
    "Obsolete.",
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
  fields: {
    spec: optional(
      s.object({
        podCIDR: text("Network of its pods."),
        podCIDRs: patched("merge", optional(s.array(s.string()).set(), "Networks of its pods, one for each family.")),
        providerID: text("What the cloud calls it."),
        taints: optional(s.array(taint).atomic(), "What keeps pods off."),
        unschedulable: flag("Whether new pods stay away."),
        configSource: optional(nodeConfigSource, "Obsolete."),
        externalID: text("Obsolete."),
      }),
      "What is wanted of it.",
    ),
    status: optional(
      s.object({
        addresses: patched(
          "merge",
          optional(
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
          "type",
        ),
        capacity: quantities("What it has."),
        allocatable: quantities("What pods can have of it."),
        conditions: patched("merge", optional(nodeConditions, "How it fares."), "type"),
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
        config: optional(
          s.object({
            active: optional(nodeConfigSource, "Obsolete."),
            assigned: optional(nodeConfigSource, "Obsolete."),
            error: text("Obsolete."),
            lastKnownGood: optional(nodeConfigSource, "Obsolete."),
          }),
          "Obsolete.",
        ),
      }),
      "What it is, and how it fares.",
    ),
  },
});
