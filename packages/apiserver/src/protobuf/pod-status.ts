import { resourceRequirements } from "./container.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const podCondition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  lastProbeTime: one("time", 3),
  lastTransitionTime: one("time", 4),
  reason: one("string", 5),
  message: one("string", 6),
  observedGeneration: one("int64", 7),
});

const address: Message = message({ ip: kept("string", 1) });

const containerStateTerminated: Message = message({
  exitCode: kept("int32", 1),
  signal: one("int32", 2),
  reason: one("string", 3),
  message: one("string", 4),
  startedAt: one("time", 5),
  finishedAt: one("time", 6),
  containerID: one("string", 7),
});

const containerState: Message = message({
  waiting: one(message({ reason: one("string", 1), message: one("string", 2) }), 1),
  running: one(message({ startedAt: one("time", 1) }), 2),
  terminated: one(containerStateTerminated, 3),
});

const containerStatus: Message = message({
  name: kept("string", 1),
  state: one(containerState, 2),
  lastState: one(containerState, 3),
  ready: kept("bool", 4),
  restartCount: kept("int32", 5),
  image: kept("string", 6),
  imageID: kept("string", 7),
  containerID: one("string", 8),
  started: kept("bool", 9),
  allocatedResources: map("quantity", 10),
  resources: one(resourceRequirements, 11),
  volumeMounts: list(
    message({
      name: kept("string", 1),
      mountPath: kept("string", 2),
      readOnly: one("bool", 3),
      recursiveReadOnly: kept("string", 4),
      volumeStatus: one(message({ image: one(message({ imageRef: kept("string", 1) }), 1) }), 5),
    }),
    12,
  ),
  user: one(
    message({
      linux: one(message({ uid: kept("int64", 1), gid: kept("int64", 2), supplementalGroups: list("int64", 3) }), 1),
    }),
    13,
  ),
  allocatedResourcesStatus: list(
    message({
      name: kept("string", 1),
      resources: list(
        message({ resourceID: kept("string", 1), health: one("string", 2), message: kept("string", 6) }),
        2,
      ),
    }),
    14,
  ),
  stopSignal: kept("string", 15),
});

export const podStatus: Message = message({
  phase: one("string", 1),
  conditions: list(podCondition, 2),
  message: one("string", 3),
  reason: one("string", 4),
  hostIP: one("string", 5),
  podIP: one("string", 6),
  startTime: one("time", 7),
  containerStatuses: list(containerStatus, 8),
  qosClass: one("string", 9),
  initContainerStatuses: list(containerStatus, 10),
  nominatedNodeName: one("string", 11),
  podIPs: list(address, 12),
  ephemeralContainerStatuses: list(containerStatus, 13),
  resize: one("string", 14),
  resourceClaimStatuses: list(message({ name: kept("string", 1), resourceClaimName: kept("string", 2) }), 15),
  hostIPs: list(address, 16),
  observedGeneration: one("int64", 17),
  extendedResourceClaimStatus: one(
    message({
      requestMappings: list(
        message({ containerName: kept("string", 1), resourceName: kept("string", 2), requestName: kept("string", 3) }),
        1,
      ),
      resourceClaimName: kept("string", 2),
    }),
    18,
  ),
  allocatedResources: map("quantity", 19),
  resources: one(resourceRequirements, 20),
  nodeAllocatableResourceClaimStatuses: list(
    message({
      resourceClaimName: kept("string", 1),
      containers: list("string", 2),
      resources: map("quantity", 3),
    }),
    21,
  ),
});
