import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { affinity, toleration, topologySpreadConstraint } from "./affinity.ts";
import { container, ephemeralContainer, resourceRequirements } from "./container.ts";
import { choice, flag, given, int32, int64, optional, patched, quantities, s, text, texts } from "./field.ts";
import { templateMeta } from "./meta.ts";
import { localObjectReference } from "./reference.ts";
import { podSecurityContext } from "./security.ts";
import { volume } from "./volume.ts";

const podSpecFields = {
  containers: patched("merge", s.array(container).keyedBy("name").describe("What runs side by side."), "name"),
  initContainers: patched(
    "merge",
    optional(s.array(container).keyedBy("name"), "What runs before, one after the other."),
    "name",
  ),
  ephemeralContainers: patched(
    "merge",
    optional(s.array(ephemeralContainer).keyedBy("name"), "What was added to a running pod to look into it."),
    "name",
  ),
  volumes: patched(
    "merge,retainKeys",
    optional(s.array(volume).keyedBy("name"), "Storage for the containers."),
    "name",
  ),
  restartPolicy: choice("When containers are started again; Always unless given.", "Always", "OnFailure", "Never"),
  terminationGracePeriodSeconds: int64("Seconds from being asked to stop to being killed; 30 unless given."),
  activeDeadlineSeconds: int64("Seconds after which the pod counts as failed."),
  serviceAccountName: text("Service account that the pod acts as."),
  serviceAccount: text("Obsolete name of serviceAccountName."),
  automountServiceAccountToken: flag("Whether containers get a token of that account."),
  imagePullSecrets: patched(
    "merge",
    optional(s.array(localObjectReference).keyedBy("name"), "Secrets for fetching images."),
    "name",
  ),
  securityContext: optional(podSecurityContext, "What all containers may do."),
  resources: optional(resourceRequirements, "Computing resources of the pod as a whole."),
  overhead: quantities("What running the pod costs by itself, from its runtime class."),
  nodeName: text("The node it runs on."),
  nodeSelector: optional(s.map(s.string()).atomic(), "Labels a node must have."),
  affinity: optional(affinity, "Nodes and pods to be near to or away from."),
  tolerations: optional(s.array(toleration).atomic(), "Taints of nodes to put up with."),
  topologySpreadConstraints: patched(
    "merge",
    optional(
      s.array(topologySpreadConstraint).keyedBy("topologyKey", "whenUnsatisfiable"),
      "How pods are spread over places.",
    ),
    "topologyKey",
  ),
  schedulerName: text("Who chooses the node; default-scheduler unless given."),
  schedulingGates: patched(
    "merge",
    optional(
      s.array(s.object({ name: given("Who must be done first.") })).keyedBy("name"),
      "What must be removed before a node is chosen.",
    ),
    "name",
  ),
  priorityClassName: text("How important it is, by name."),
  priority: int32("How important it is, as a number from its class."),
  preemptionPolicy: choice("Whether it may push out pods that matter less.", "Never", "PreemptLowerPriority"),
  runtimeClassName: text("Which container runtime runs it."),
  readinessGates: optional(
    s.array(s.object({ conditionType: given("Type of the condition.") })).atomic(),
    "Further conditions for being ready.",
  ),
  hostname: text("Name of its host; the pod's name unless given."),
  subdomain: text("Domain below the namespace's for its host name."),
  setHostnameAsFQDN: flag("Whether the host name is fully qualified."),
  hostnameOverride: text("Name of its host, whatever else is said."),
  hostAliases: patched(
    "merge",
    optional(
      s.array(s.object({ ip: given("The address."), hostnames: texts("Names for it.") })).keyedBy("ip"),
      "Lines for the hosts file.",
    ),
    "ip",
  ),
  hostNetwork: flag("Whether it uses the node's network."),
  hostPID: flag("Whether it sees the node's processes."),
  hostIPC: flag("Whether it shares the node's inter-process communication."),
  hostUsers: flag("Whether it uses the node's user ids; false gives it its own."),
  shareProcessNamespace: flag("Whether its containers see each other's processes."),
  dnsPolicy: choice(
    "How names are looked up; ClusterFirst unless given.",
    "ClusterFirst",
    "ClusterFirstWithHostNet",
    "Default",
    "None",
  ),
  dnsConfig: optional(
    s.object({
      nameservers: texts("Further name servers."),
      searches: texts("Further search domains."),
      options: optional(
        s.array(s.object({ name: text("Name of the option."), value: text("Its value, if it has one.") })).atomic(),
        "Further options of the resolver.",
      ),
    }),
    "Further settings for looking up names.",
  ),
  enableServiceLinks: flag("Whether services show up as environment variables; true unless given."),
  os: optional(s.object({ name: given("linux or windows.") }), "Operating system of its containers."),
  resourceClaims: patched(
    "merge,retainKeys",
    optional(
      s
        .array(
          s.object({
            name: given("Name for containers to refer to."),
            resourceClaimName: text("A claim that exists."),
            resourceClaimTemplateName: text("A template to make the claim from."),
          }),
        )
        .keyedBy("name"),
      "Devices for its containers.",
    ),
    "name",
  ),
  schedulingGroup: optional(
    s.object({ podGroupName: text("Name of the group.") }),
    "The group of pods that it is scheduled together with.",
  ),
};

/** What a pod runs, and how. */
export interface PodSpec extends ObjectIn<typeof podSpecFields> {}

/** The schema of `PodSpec`. */
export const podSpec: ObjectSchema<PodSpec, PodSpec> = s.object(podSpecFields);

const podTemplateSpecFields = {
  metadata: optional(templateMeta, "Labels and annotations of the pod."),
  spec: podSpec.describe("What the pod runs."),
};

/** A pod to be made. */
export interface PodTemplateSpec extends ObjectIn<typeof podTemplateSpecFields> {}

/** The schema of `PodTemplateSpec`. */
export const podTemplateSpec: ObjectSchema<PodTemplateSpec, PodTemplateSpec> = s.object(podTemplateSpecFields);
