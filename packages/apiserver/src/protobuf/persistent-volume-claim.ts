import { labelSelector, objectMeta } from "./meta.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

export const typedLocalObjectReference: MessageTable = messageTable({
  apiGroup: presentField("string", 1),
  kind: presentField("string", 2),
  name: presentField("string", 3),
});

const persistentVolumeClaimSpec: MessageTable = messageTable({
  accessModes: repeatedField("string", 1),
  resources: omitEmptyField(messageTable({ limits: mapField("quantity", 1), requests: mapField("quantity", 2) }), 2),
  volumeName: omitEmptyField("string", 3),
  selector: omitEmptyField(labelSelector, 4),
  storageClassName: presentField("string", 5),
  volumeMode: presentField("string", 6),
  dataSource: omitEmptyField(typedLocalObjectReference, 7),
  dataSourceRef: omitEmptyField(
    messageTable({
      apiGroup: presentField("string", 1),
      kind: presentField("string", 2),
      name: presentField("string", 3),
      namespace: presentField("string", 4),
    }),
    8,
  ),
  volumeAttributesClassName: presentField("string", 9),
});

export const persistentVolumeClaimTemplate: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(persistentVolumeClaimSpec, 2),
});

const persistentVolumeClaimCondition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  lastProbeTime: omitEmptyField("time", 3),
  lastTransitionTime: omitEmptyField("time", 4),
  reason: omitEmptyField("string", 5),
  message: omitEmptyField("string", 6),
});

const persistentVolumeClaimStatus: MessageTable = messageTable({
  phase: omitEmptyField("string", 1),
  accessModes: repeatedField("string", 2),
  capacity: mapField("quantity", 3),
  conditions: repeatedField(persistentVolumeClaimCondition, 4),
  allocatedResources: mapField("quantity", 5),
  allocatedResourceStatuses: mapField("string", 7),
  currentVolumeAttributesClassName: presentField("string", 8),
  modifyVolumeStatus: omitEmptyField(
    messageTable({ targetVolumeAttributesClassName: omitEmptyField("string", 1), status: presentField("string", 2) }),
    9,
  ),
});

export const persistentVolumeClaim: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(persistentVolumeClaimSpec, 2),
  status: omitEmptyField(persistentVolumeClaimStatus, 3),
});
