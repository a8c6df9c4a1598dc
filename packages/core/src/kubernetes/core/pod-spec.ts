import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { affinity, toleration, topologySpreadConstraint } from "./affinity.ts";
import { container, ephemeralContainer, resourceRequirements } from "./container.ts";
import {
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  withPatchStrategy,
  resourceList,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { templateMeta } from "../meta.ts";
import { localObjectReference } from "./reference.ts";
import { podSecurityContext } from "./security.ts";
import { volume } from "./volume.ts";

const podSpecFields = {
  containers: withPatchStrategy("merge", s.array(container).keyedBy("name").describe("Containers of the pod."), "name"),
  initContainers: withPatchStrategy(
    "merge",
    optional(s.array(container).keyedBy("name"), "Init containers, run in order before the containers."),
    "name",
  ),
  ephemeralContainers: withPatchStrategy(
    "merge",
    optional(s.array(ephemeralContainer).keyedBy("name"), "Ephemeral containers, for debugging a running pod."),
    "name",
  ),
  volumes: withPatchStrategy(
    "merge,retainKeys",
    optional(s.array(volume).keyedBy("name"), "Storage for the containers."),
    "name",
  ),
  restartPolicy: optionalEnum("When containers are restarted; defaults to Always.", "Always", "OnFailure", "Never"),
  terminationGracePeriodSeconds: int64("Seconds between SIGTERM and SIGKILL; defaults to 30."),
  activeDeadlineSeconds: int64("Seconds after which the pod counts as failed."),
  serviceAccountName: optionalString("Service account that the pod acts as."),
  serviceAccount: optionalString("Deprecated: use serviceAccountName."),
  automountServiceAccountToken: optionalBoolean("Whether a token of the service account is mounted."),
  imagePullSecrets: withPatchStrategy(
    "merge",
    optional(s.array(localObjectReference).keyedBy("name"), "Secrets for fetching images."),
    "name",
  ),
  securityContext: optional(podSecurityContext, "Security context of all containers."),
  resources: optional(resourceRequirements, "Computing resources of the pod as a whole."),
  overhead: resourceList("Resource overhead of the pod, from its RuntimeClass."),
  nodeName: optionalString("The node it runs on."),
  nodeSelector: optional(s.map(s.string()).atomic(), "Labels a node must have."),
  affinity: optional(affinity, "Affinity and anti-affinity to nodes and pods."),
  tolerations: optional(s.array(toleration).atomic(), "Tolerated taints."),
  topologySpreadConstraints: withPatchStrategy(
    "merge",
    optional(
      s.array(topologySpreadConstraint).keyedBy("topologyKey", "whenUnsatisfiable"),
      "Topology spread constraints.",
    ),
    "topologyKey",
  ),
  schedulerName: optionalString("Name of the scheduler; defaults to default-scheduler."),
  schedulingGates: withPatchStrategy(
    "merge",
    optional(
      s.array(s.object({ name: requiredString("Name of the gate.") })).keyedBy("name"),
      "Scheduling gates that must be removed before the pod is scheduled.",
    ),
    "name",
  ),
  priorityClassName: optionalString("Name of the PriorityClass."),
  priority: int32("Priority, from its PriorityClass."),
  preemptionPolicy: optionalEnum("Whether it may preempt pods with lower priority.", "Never", "PreemptLowerPriority"),
  runtimeClassName: optionalString("RuntimeClass of the pod."),
  readinessGates: optional(
    s.array(s.object({ conditionType: requiredString("Type of the condition.") })).atomic(),
    "Readiness gates.",
  ),
  hostname: optionalString("Name of its host; defaults to the pod's name."),
  subdomain: optionalString("Domain below the namespace's for its host name."),
  setHostnameAsFQDN: optionalBoolean("Whether the host name is fully qualified."),
  hostnameOverride: optionalString("Host name; overrides hostname and subdomain."),
  hostAliases: withPatchStrategy(
    "merge",
    optional(
      s
        .array(
          s.object({ ip: requiredString("The address."), hostnames: optionalStrings("Host names of the address.") }),
        )
        .keyedBy("ip"),
      "Lines for the hosts file.",
    ),
    "ip",
  ),
  hostNetwork: optionalBoolean("Whether it uses the node's network."),
  hostPID: optionalBoolean("Whether it uses the node's PID namespace."),
  hostIPC: optionalBoolean("Whether it uses the node's IPC namespace."),
  hostUsers: optionalBoolean("Whether it uses the node's user namespace; false creates a user namespace."),
  shareProcessNamespace: optionalBoolean("Whether its containers share a PID namespace."),
  dnsPolicy: optionalEnum(
    "How names are looked up; defaults to ClusterFirst.",
    "ClusterFirst",
    "ClusterFirstWithHostNet",
    "Default",
    "None",
  ),
  dnsConfig: optional(
    s.object({
      nameservers: optionalStrings("Further name servers."),
      searches: optionalStrings("Further search domains."),
      options: optional(
        s
          .array(
            s.object({
              name: optionalString("Name of the option."),
              value: optionalString("Its value, if it has one."),
            }),
          )
          .atomic(),
        "Further options of the resolver.",
      ),
    }),
    "Further settings for looking up names.",
  ),
  enableServiceLinks: optionalBoolean("Whether services are added as environment variables; defaults to true."),
  os: optional(s.object({ name: requiredString("linux or windows.") }), "Operating system of its containers."),
  resourceClaims: withPatchStrategy(
    "merge,retainKeys",
    optional(
      s
        .array(
          s.object({
            name: requiredString("Name for containers to refer to."),
            resourceClaimName: optionalString("A claim that exists."),
            resourceClaimTemplateName: optionalString("Template of a generated claim."),
          }),
        )
        .keyedBy("name"),
      "Devices for its containers.",
    ),
    "name",
  ),
  schedulingGroup: optional(
    s.object({ podGroupName: optionalString("Name of the group.") }),
    "The group of pods that it is scheduled together with.",
  ),
};

/** Specification of a pod. */
export interface PodSpec extends ObjectIn<typeof podSpecFields> {}

/** The schema of `PodSpec`. */
export const podSpec: ObjectSchema<PodSpec, PodSpec> = s.object(podSpecFields);

const podTemplateSpecFields = {
  metadata: optional(templateMeta, "Labels and annotations of the pod."),
  spec: podSpec.describe("Specification of the pod."),
};

/** Template of a pod. */
export interface PodTemplateSpec extends ObjectIn<typeof podTemplateSpecFields> {}

/** The schema of `PodTemplateSpec`. */
export const podTemplateSpec: ObjectSchema<PodTemplateSpec, PodTemplateSpec> = s.object(podTemplateSpecFields);
