import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { resourceRequirements } from "./container.ts";
import { builtIn, flag, given, int32, int64, optional, patched, quantities, s, text, time } from "./field.ts";
import { conditions, podConditions } from "./meta.ts";
import { podSpec, podTemplateSpec } from "./pod-spec.ts";

const containerStateFields = {
  waiting: optional(
    s.object({ reason: text("Why, in one word."), message: text("Why, for people.") }),
    "Not running yet.",
  ),
  running: optional(s.object({ startedAt: s.dateTime().describe("Since when.").nullable().optional() }), "Running."),
  terminated: optional(
    s.object({
      exitCode: s.int32().describe("How it ended.").default(0),
      signal: int32("The signal that ended it."),
      reason: text("Why, in one word."),
      message: text("Why, for people, often its last words."),
      startedAt: s.dateTime().describe("When it began.").nullable().optional(),
      finishedAt: s.dateTime().describe("When it ended.").nullable().optional(),
      containerID: text("The runtime's name for it."),
    }),
    "Ended.",
  ),
};

/** One of three states. */
export interface ContainerState extends ObjectIn<typeof containerStateFields> {}

/** The schema of `ContainerState`. */
export const containerState: ObjectSchema<ContainerState, ContainerState> = s.object(containerStateFields);

const containerStatusFields = {
  name: given("Name of the container."),
  state: optional(containerState, "What it does now."),
  lastState: optional(containerState, "How it ended before."),
  ready: s.boolean().describe("Whether it takes requests.").default(false),
  started: flag("Whether it has started up."),
  restartCount: s.int32().describe("How often it was started again.").default(0),
  image: s.string().describe("The image that runs.").default(""),
  imageID: s.string().describe("Digest of that image.").default(""),
  containerID: text("The runtime's name for it."),
  resources: optional(resourceRequirements, "Resources in force."),
  allocatedResources: quantities("Resources that the node has set aside."),
  allocatedResourcesStatus: patched(
    "merge",
    optional(
      s
        .array(
          s.object({
            name: given("Name of the resource."),
            resources: optional(
              s
                .array(
                  s.object({
                    resourceID: given("Which one."),
                    health: text("Healthy, Unhealthy or Unknown."),
                    message: text("Why, for people."),
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
    "Who the process runs as.",
  ),
  volumeMounts: patched(
    "merge",
    optional(
      s
        .array(
          s.object({
            name: given("Name of the volume."),
            mountPath: given("Directory in the container."),
            readOnly: flag("Whether it cannot be written."),
            recursiveReadOnly: text("Whether mounts below it cannot be written either."),
            volumeStatus: optional(
              s.object({
                image: optional(s.object({ imageRef: given("Digest of the image.") }), "For a volume from an image."),
              }),
              "What the volume turned out to be.",
            ),
          }),
        )
        .keyedBy("mountPath"),
      "What is mounted.",
    ),
    "mountPath",
  ),
  stopSignal: text("The signal that asks it to stop."),
};

/** How a container fares. */
export interface ContainerStatus extends ObjectIn<typeof containerStatusFields> {}

/** The schema of `ContainerStatus`. */
export const containerStatus: ObjectSchema<ContainerStatus, ContainerStatus> = s.object(containerStatusFields);

const podStatusFields = {
  phase: text("Pending, Running, Succeeded, Failed or Unknown."),
  conditions: patched("merge", optional(podConditions, "How far it is."), "type"),
  reason: text("Why it is in that phase, in one word."),
  message: text("Why it is in that phase, for people."),
  startTime: time("When the node took it up."),
  podIP: text("Its address."),
  podIPs: patched(
    "merge",
    optional(s.array(s.object({ ip: given("The address.") })).keyedBy("ip"), "Its addresses, one for each family."),
    "ip",
  ),
  hostIP: text("The node's address."),
  hostIPs: patched(
    "merge",
    optional(s.array(s.object({ ip: given("The address.") })).atomic(), "The node's addresses."),
    "ip",
  ),
  nominatedNodeName: text("The node it waits for while others are pushed out."),
  qosClass: text("Guaranteed, Burstable or BestEffort."),
  containerStatuses: optional(s.array(containerStatus).atomic(), "How its containers fare."),
  initContainerStatuses: optional(s.array(containerStatus).atomic(), "How its init containers fare."),
  ephemeralContainerStatuses: optional(s.array(containerStatus).atomic(), "How its ephemeral containers fare."),
  observedGeneration: int64("The generation that this status is about."),
  resources: optional(resourceRequirements, "Resources in force for the pod as a whole."),
  allocatedResources: quantities("Resources that the node has set aside for the pod as a whole."),
  resize: text("Obsolete; conditions tell how a change of resources goes."),
  resourceClaimStatuses: patched(
    "merge,retainKeys",
    optional(
      s
        .array(s.object({ name: given("Name within the pod."), resourceClaimName: text("The claim that was made.") }))
        .keyedBy("name"),
      "The claims that were made for it.",
    ),
    "name",
  ),
  nodeAllocatableResourceClaimStatuses: optional(
    s
      .array(
        s.object({
          resourceClaimName: given("The claim."),
          containers: optional(s.array(s.string()).set(), "The containers that use it."),
          resources: s.map(s.quantity()).describe("What it takes of the node."),
        }),
      )
      .atomic(),
    "Claims that take of what the node has to give.",
  ),
  extendedResourceClaimStatus: optional(
    s.object({
      resourceClaimName: given("The claim that was made."),
      requestMappings: s
        .array(
          s.object({
            containerName: given("The container."),
            requestName: given("The request in the claim."),
            resourceName: given("The resource it stands for."),
          }),
        )
        .atomic()
        .describe("Which request serves which container."),
    }),
    "The claim that was made for its extended resources.",
  ),
};

/** How a pod fares. */
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
  fields: { spec: podSpec.describe("What it runs."), status: optional(podStatus, "How it fares.") },
});

/** A pod to be made, kept for later. */
export const PodTemplate = builtIn({
  group: "",
  version: "v1",
  kind: "PodTemplate",
  description: "A pod to be made, kept for later.",
  fields: { template: podTemplateSpec.describe("The pod.") },
});

/** Keeps a number of equal pods; Deployment does it better. */
export const ReplicationController = builtIn({
  group: "",
  version: "v1",
  kind: "ReplicationController",
  description: "Keeps a number of equal pods; Deployment does it better.",
  shortNames: ["rc"],
  fields: {
    spec: s
      .object({
        replicas: s.int32().describe("How many pods.").default(1),
        minReadySeconds: s.int32().describe("Seconds a pod must be ready to count as available.").default(0),
        selector: optional(s.map(s.string()).atomic(), "Labels of its pods; those of the template unless given."),
        template: podTemplateSpec.describe("The pods."),
      })
      .describe("What is wanted."),
    status: optional(
      s.object({
        replicas: s.int32().describe("Pods there are.").default(0),
        fullyLabeledReplicas: int32("Pods with all labels of the template."),
        readyReplicas: int32("Pods that are ready."),
        availableReplicas: int32("Pods that have been ready for long enough."),
        observedGeneration: int64("The generation that this status is about."),
        conditions: patched("merge", optional(conditions, "What stands in the way."), "type"),
      }),
      "What there is.",
    ),
  },
});
