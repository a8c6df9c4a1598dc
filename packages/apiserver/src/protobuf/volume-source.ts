import { localObjectReference } from "./meta.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

export const hostPathVolumeSource: MessageTable = messageTable({
  path: presentField("string", 1),
  type: presentField("string", 2),
});

export const emptyDirVolumeSource: MessageTable = messageTable({
  medium: omitEmptyField("string", 1),
  sizeLimit: omitEmptyField("quantity", 2),
});

export const gcePersistentDiskVolumeSource: MessageTable = messageTable({
  pdName: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  partition: omitEmptyField("int32", 3),
  readOnly: omitEmptyField("bool", 4),
});

export const awsElasticBlockStoreVolumeSource: MessageTable = messageTable({
  volumeID: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  partition: omitEmptyField("int32", 3),
  readOnly: omitEmptyField("bool", 4),
});

export const gitRepoVolumeSource: MessageTable = messageTable({
  repository: presentField("string", 1),
  revision: omitEmptyField("string", 2),
  directory: omitEmptyField("string", 3),
});

export const nfsVolumeSource: MessageTable = messageTable({
  server: presentField("string", 1),
  path: presentField("string", 2),
  readOnly: omitEmptyField("bool", 3),
});

export const iscsiVolumeSource: MessageTable = messageTable({
  targetPortal: presentField("string", 1),
  iqn: presentField("string", 2),
  lun: presentField("int32", 3),
  iscsiInterface: omitEmptyField("string", 4),
  fsType: omitEmptyField("string", 5),
  readOnly: omitEmptyField("bool", 6),
  portals: repeatedField("string", 7),
  chapAuthDiscovery: omitEmptyField("bool", 8),
  secretRef: omitEmptyField(localObjectReference, 10),
  chapAuthSession: omitEmptyField("bool", 11),
  initiatorName: presentField("string", 12),
});

export const glusterfsVolumeSource: MessageTable = messageTable({
  endpoints: presentField("string", 1),
  path: presentField("string", 2),
  readOnly: omitEmptyField("bool", 3),
});

export const rbdVolumeSource: MessageTable = messageTable({
  monitors: repeatedField("string", 1),
  image: presentField("string", 2),
  fsType: omitEmptyField("string", 3),
  pool: omitEmptyField("string", 4),
  user: omitEmptyField("string", 5),
  keyring: omitEmptyField("string", 6),
  secretRef: omitEmptyField(localObjectReference, 7),
  readOnly: omitEmptyField("bool", 8),
});

export const flexVolumeSource: MessageTable = messageTable({
  driver: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  secretRef: omitEmptyField(localObjectReference, 3),
  readOnly: omitEmptyField("bool", 4),
  options: mapField("string", 5),
});

export const cinderVolumeSource: MessageTable = messageTable({
  volumeID: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  readOnly: omitEmptyField("bool", 3),
  secretRef: omitEmptyField(localObjectReference, 4),
});

export const cephFSVolumeSource: MessageTable = messageTable({
  monitors: repeatedField("string", 1),
  path: omitEmptyField("string", 2),
  user: omitEmptyField("string", 3),
  secretFile: omitEmptyField("string", 4),
  secretRef: omitEmptyField(localObjectReference, 5),
  readOnly: omitEmptyField("bool", 6),
});

export const flockerVolumeSource: MessageTable = messageTable({
  datasetName: omitEmptyField("string", 1),
  datasetUUID: omitEmptyField("string", 2),
});

export const fcVolumeSource: MessageTable = messageTable({
  targetWWNs: repeatedField("string", 1),
  lun: presentField("int32", 2),
  fsType: omitEmptyField("string", 3),
  readOnly: omitEmptyField("bool", 4),
  wwids: repeatedField("string", 5),
});

export const azureFileVolumeSource: MessageTable = messageTable({
  secretName: presentField("string", 1),
  shareName: presentField("string", 2),
  readOnly: omitEmptyField("bool", 3),
});

export const vsphereVirtualDiskVolumeSource: MessageTable = messageTable({
  volumePath: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  storagePolicyName: omitEmptyField("string", 3),
  storagePolicyID: omitEmptyField("string", 4),
});

export const quobyteVolumeSource: MessageTable = messageTable({
  registry: presentField("string", 1),
  volume: presentField("string", 2),
  readOnly: omitEmptyField("bool", 3),
  user: omitEmptyField("string", 4),
  group: omitEmptyField("string", 5),
  tenant: omitEmptyField("string", 6),
});

export const azureDiskVolumeSource: MessageTable = messageTable({
  diskName: presentField("string", 1),
  diskURI: presentField("string", 2),
  cachingMode: presentField("string", 3),
  fsType: presentField("string", 4),
  readOnly: presentField("bool", 5),
  kind: presentField("string", 6),
});

export const photonPersistentDiskVolumeSource: MessageTable = messageTable({
  pdID: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
});

export const portworxVolumeSource: MessageTable = messageTable({
  volumeID: presentField("string", 1),
  fsType: omitEmptyField("string", 2),
  readOnly: omitEmptyField("bool", 3),
});

export const scaleIOVolumeSource: MessageTable = messageTable({
  gateway: presentField("string", 1),
  system: presentField("string", 2),
  secretRef: omitEmptyField(localObjectReference, 3),
  sslEnabled: omitEmptyField("bool", 4),
  protectionDomain: omitEmptyField("string", 5),
  storagePool: omitEmptyField("string", 6),
  storageMode: omitEmptyField("string", 7),
  volumeName: omitEmptyField("string", 8),
  fsType: omitEmptyField("string", 9),
  readOnly: omitEmptyField("bool", 10),
});

export const storageOSVolumeSource: MessageTable = messageTable({
  volumeName: omitEmptyField("string", 1),
  volumeNamespace: omitEmptyField("string", 2),
  fsType: omitEmptyField("string", 3),
  readOnly: omitEmptyField("bool", 4),
  secretRef: omitEmptyField(localObjectReference, 5),
});

export const csiVolumeSource: MessageTable = messageTable({
  driver: presentField("string", 1),
  readOnly: presentField("bool", 2),
  fsType: presentField("string", 3),
  volumeAttributes: mapField("string", 4),
  nodePublishSecretRef: omitEmptyField(localObjectReference, 5),
});

export const imageVolumeSource: MessageTable = messageTable({
  reference: omitEmptyField("string", 1),
  pullPolicy: omitEmptyField("string", 2),
});
