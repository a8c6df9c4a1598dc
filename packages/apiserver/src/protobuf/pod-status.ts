import { resourceRequirements } from "./container.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const podCondition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  lastProbeTime: omitEmptyField("time", 3),
  lastTransitionTime: omitEmptyField("time", 4),
  reason: omitEmptyField("string", 5),
  message: omitEmptyField("string", 6),
  observedGeneration: omitEmptyField("int64", 7),
});

const address: MessageTable = messageTable({ ip: presentField("string", 1) });

const containerStateTerminated: MessageTable = messageTable({
  exitCode: presentField("int32", 1),
  signal: omitEmptyField("int32", 2),
  reason: omitEmptyField("string", 3),
  message: omitEmptyField("string", 4),
  startedAt: omitEmptyField("time", 5),
  finishedAt: omitEmptyField("time", 6),
  containerID: omitEmptyField("string", 7),
});

const containerState: MessageTable = messageTable({
  waiting: omitEmptyField(
    messageTable({ reason: omitEmptyField("string", 1), message: omitEmptyField("string", 2) }),
    1,
  ),
  running: omitEmptyField(messageTable({ startedAt: omitEmptyField("time", 1) }), 2),
  terminated: omitEmptyField(containerStateTerminated, 3),
});

const containerStatus: MessageTable = messageTable({
  name: presentField("string", 1),
  state: omitEmptyField(containerState, 2),
  lastState: omitEmptyField(containerState, 3),
  ready: presentField("bool", 4),
  restartCount: presentField("int32", 5),
  image: presentField("string", 6),
  imageID: presentField("string", 7),
  containerID: omitEmptyField("string", 8),
  started: presentField("bool", 9),
  allocatedResources: mapField("quantity", 10),
  resources: omitEmptyField(resourceRequirements, 11),
  volumeMounts: repeatedField(
    messageTable({
      name: presentField("string", 1),
      mountPath: presentField("string", 2),
      readOnly: omitEmptyField("bool", 3),
      recursiveReadOnly: presentField("string", 4),
      volumeStatus: omitEmptyField(
        messageTable({ image: omitEmptyField(messageTable({ imageRef: presentField("string", 1) }), 1) }),
        5,
      ),
    }),
    12,
  ),
  user: omitEmptyField(
    messageTable({
      linux: omitEmptyField(
        messageTable({
          uid: presentField("int64", 1),
          gid: presentField("int64", 2),
          supplementalGroups: repeatedField("int64", 3),
        }),
        1,
      ),
    }),
    13,
  ),
  allocatedResourcesStatus: repeatedField(
    messageTable({
      name: presentField("string", 1),
      resources: repeatedField(
        messageTable({
          resourceID: presentField("string", 1),
          health: omitEmptyField("string", 2),
          message: presentField("string", 6),
        }),
        2,
      ),
    }),
    14,
  ),
  stopSignal: presentField("string", 15),
});

export const podStatus: MessageTable = messageTable({
  phase: omitEmptyField("string", 1),
  conditions: repeatedField(podCondition, 2),
  message: omitEmptyField("string", 3),
  reason: omitEmptyField("string", 4),
  hostIP: omitEmptyField("string", 5),
  podIP: omitEmptyField("string", 6),
  startTime: omitEmptyField("time", 7),
  containerStatuses: repeatedField(containerStatus, 8),
  qosClass: omitEmptyField("string", 9),
  initContainerStatuses: repeatedField(containerStatus, 10),
  nominatedNodeName: omitEmptyField("string", 11),
  podIPs: repeatedField(address, 12),
  ephemeralContainerStatuses: repeatedField(containerStatus, 13),
  resize: omitEmptyField("string", 14),
  resourceClaimStatuses: repeatedField(
    messageTable({ name: presentField("string", 1), resourceClaimName: presentField("string", 2) }),
    15,
  ),
  hostIPs: repeatedField(address, 16),
  observedGeneration: omitEmptyField("int64", 17),
  extendedResourceClaimStatus: omitEmptyField(
    messageTable({
      requestMappings: repeatedField(
        messageTable({
          containerName: presentField("string", 1),
          resourceName: presentField("string", 2),
          requestName: presentField("string", 3),
        }),
        1,
      ),
      resourceClaimName: presentField("string", 2),
    }),
    18,
  ),
  allocatedResources: mapField("quantity", 19),
  resources: omitEmptyField(resourceRequirements, 20),
  nodeAllocatableResourceClaimStatuses: repeatedField(
    messageTable({
      resourceClaimName: presentField("string", 1),
      containers: repeatedField("string", 2),
      resources: mapField("quantity", 3),
    }),
    21,
  ),
});
