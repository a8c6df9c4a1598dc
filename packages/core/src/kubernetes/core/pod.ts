import { podReadiness } from "../../readiness-rule/index.ts";
import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { resourceRequirements } from "./container.ts";
import {
  builtIn,
  s,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  withPatchStrategy,
  resourceList,
  optionalString,
  optionalTime,
} from "../field-builders.ts";
import { podConditions } from "../meta.ts";
import { podSpec } from "./pod-spec.ts";

const containerStateFields = {
  waiting: optional(
    s.object({
      reason: optionalString("Machine-readable reason."),
      message: optionalString("Human-readable message."),
    }),
    "Not running yet.",
  ),
  running: optional(s.object({ startedAt: s.dateTime().describe("Start time.").nullable().optional() }), "Running."),
  terminated: optional(
    s.object({
      exitCode: s.int32().describe("Exit code of the container.").default(0),
      signal: int32("The signal that ended it."),
      reason: optionalString("Machine-readable reason."),
      message: optionalString("Human-readable message, often from the termination log."),
      startedAt: s.dateTime().describe("When it started.").nullable().optional(),
      finishedAt: s.dateTime().describe("When it finished.").nullable().optional(),
      containerID: optionalString("ID of the container in the runtime."),
    }),
    "Terminated.",
  ),
};

/** State of a container: waiting, running or terminated. */
export interface ContainerState extends ObjectIn<typeof containerStateFields> {}

/** The schema of `ContainerState`. */
export const containerState: ObjectSchema<ContainerState, ContainerState> = s.object(containerStateFields);

const containerStatusFields = {
  name: requiredString("Name of the container."),
  state: optional(containerState, "Current state."),
  lastState: optional(containerState, "Last termination state."),
  ready: s.boolean().describe("Whether it is ready to serve requests.").default(false),
  started: optionalBoolean("Whether it has started up."),
  restartCount: s.int32().describe("Number of restarts.").default(0),
  image: s.string().describe("The image that runs.").default(""),
  imageID: s.string().describe("Digest of that image.").default(""),
  containerID: optionalString("ID of the container in the runtime."),
  resources: optional(resourceRequirements, "Resources in force."),
  allocatedResources: resourceList("Resources allocated by the node."),
  allocatedResourcesStatus: withPatchStrategy(
    "merge",
    optional(
      s
        .array(
          s.object({
            name: requiredString("Name of the resource."),
            resources: optional(
              s
                .array(
                  s.object({
                    resourceID: requiredString("Which one."),
                    health: optionalString("Healthy, Unhealthy or Unknown."),
                    message: optionalString("Human-readable message."),
                  }),
                )
                .keyedBy("resourceID"),
              "Health of each device.",
            ),
          }),
        )
        .keyedBy("name"),
      "Health of its devices.",
    ),
    "name",
  ),
  user: optional(
    s.object({
      linux: optional(
        s.object({
          uid: s.int64().describe("User id.").default(0),
          gid: s.int64().describe("Group id.").default(0),
          supplementalGroups: optional(s.array(s.int64()).atomic(), "Further groups."),
        }),
        "On Linux.",
      ),
    }),
    "User and groups of the process.",
  ),
  volumeMounts: withPatchStrategy(
    "merge",
    optional(
      s
        .array(
          s.object({
            name: requiredString("Name of the volume."),
            mountPath: requiredString("Directory in the container."),
            readOnly: optionalBoolean("Whether it is mounted read-only."),
            recursiveReadOnly: optionalString("Whether nested mounts are read-only too."),
            volumeStatus: optional(
              s.object({
                image: optional(
                  s.object({ imageRef: requiredString("Digest of the image.") }),
                  "For a volume from an image.",
                ),
              }),
              "Actual type of the volume.",
            ),
          }),
        )
        .keyedBy("mountPath"),
      "Status of the volume mounts.",
    ),
    "mountPath",
  ),
  stopSignal: optionalString("Stop signal."),
};

/** Status of a container. */
export interface ContainerStatus extends ObjectIn<typeof containerStatusFields> {}

/** The schema of `ContainerStatus`. */
export const containerStatus: ObjectSchema<ContainerStatus, ContainerStatus> = s.object(containerStatusFields);

const podStatusFields = {
  phase: optionalString("Pending, Running, Succeeded, Failed or Unknown."),
  conditions: withPatchStrategy("merge", optional(podConditions, "Conditions."), "type"),
  reason: optionalString("Machine-readable reason of the phase."),
  message: optionalString("Human-readable reason of the phase."),
  startTime: optionalTime("When the node accepted the pod."),
  podIP: optionalString("Its address."),
  podIPs: withPatchStrategy(
    "merge",
    optional(
      s.array(s.object({ ip: requiredString("The address.") })).keyedBy("ip"),
      "Its addresses, one for each family.",
    ),
    "ip",
  ),
  hostIP: optionalString("The node's address."),
  hostIPs: withPatchStrategy(
    "merge",
    optional(s.array(s.object({ ip: requiredString("The address.") })).atomic(), "The node's addresses."),
    "ip",
  ),
  nominatedNodeName: optionalString("Node on which pods are being preempted for it."),
  qosClass: optionalString("Guaranteed, Burstable or BestEffort."),
  containerStatuses: optional(s.array(containerStatus).atomic(), "Status of its containers."),
  initContainerStatuses: optional(s.array(containerStatus).atomic(), "Status of its init containers."),
  ephemeralContainerStatuses: optional(s.array(containerStatus).atomic(), "Status of its ephemeral containers."),
  observedGeneration: int64("Generation observed by the controller."),
  resources: optional(resourceRequirements, "Resources in force for the pod as a whole."),
  allocatedResources: resourceList("Resources allocated by the node to the whole pod."),
  resize: optionalString("Deprecated; see the conditions for the state of a resize."),
  resourceClaimStatuses: withPatchStrategy(
    "merge,retainKeys",
    optional(
      s
        .array(
          s.object({
            name: requiredString("Name within the pod."),
            resourceClaimName: optionalString("Name of the generated claim."),
          }),
        )
        .keyedBy("name"),
      "Claims generated for the pod.",
    ),
    "name",
  ),
  nodeAllocatableResourceClaimStatuses: optional(
    s
      .array(
        s.object({
          resourceClaimName: requiredString("The claim."),
          containers: optional(s.array(s.string()).set(), "The containers that use it."),
          resources: s.map(s.quantity()).describe("Allocated node resources."),
        }),
      )
      .atomic(),
    "Claims that use node resources.",
  ),
  extendedResourceClaimStatus: optional(
    s.object({
      resourceClaimName: requiredString("Name of the generated claim."),
      requestMappings: s
        .array(
          s.object({
            containerName: requiredString("The container."),
            requestName: requiredString("The request in the claim."),
            resourceName: requiredString("The resource it stands for."),
          }),
        )
        .atomic()
        .describe("Mapping of requests to containers."),
    }),
    "Claim generated for its extended resources.",
  ),
};

/** Status of a pod. */
export interface PodStatus extends ObjectIn<typeof podStatusFields> {}

/** The schema of `PodStatus`. */
export const podStatus: ObjectSchema<PodStatus, PodStatus> = s.object(podStatusFields);

/** Containers that run together on one node. */
export const Pod = builtIn({
  group: "",
  version: "v1",
  kind: "Pod",
  description: "Containers that run together on one node.",
  shortNames: ["po"],
  readiness: { of: podReadiness },
  fields: {
    spec: podSpec.describe("Specification of the desired behaviour."),
    status: optional(podStatus, "Its status."),
  },
});
