import { labelSelector, objectMeta } from "./meta.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

export const typedLocalObjectReference: Message = message({
  apiGroup: kept("string", 1),
  kind: kept("string", 2),
  name: kept("string", 3),
});

const persistentVolumeClaimSpec: Message = message({
  accessModes: list("string", 1),
  resources: one(message({ limits: map("quantity", 1), requests: map("quantity", 2) }), 2),
  volumeName: one("string", 3),
  selector: one(labelSelector, 4),
  storageClassName: kept("string", 5),
  volumeMode: kept("string", 6),
  dataSource: one(typedLocalObjectReference, 7),
  dataSourceRef: one(
    message({
      apiGroup: kept("string", 1),
      kind: kept("string", 2),
      name: kept("string", 3),
      namespace: kept("string", 4),
    }),
    8,
  ),
  volumeAttributesClassName: kept("string", 9),
});

export const persistentVolumeClaimTemplate: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(persistentVolumeClaimSpec, 2),
});

const persistentVolumeClaimCondition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  lastProbeTime: one("time", 3),
  lastTransitionTime: one("time", 4),
  reason: one("string", 5),
  message: one("string", 6),
});

const persistentVolumeClaimStatus: Message = message({
  phase: one("string", 1),
  accessModes: list("string", 2),
  capacity: map("quantity", 3),
  conditions: list(persistentVolumeClaimCondition, 4),
  allocatedResources: map("quantity", 5),
  allocatedResourceStatuses: map("string", 7),
  currentVolumeAttributesClassName: kept("string", 8),
  modifyVolumeStatus: one(message({ targetVolumeAttributesClassName: one("string", 1), status: kept("string", 2) }), 9),
});

export const persistentVolumeClaim: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(persistentVolumeClaimSpec, 2),
  status: one(persistentVolumeClaimStatus, 3),
});
