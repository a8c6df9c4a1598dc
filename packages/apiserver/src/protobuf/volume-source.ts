import { localObjectReference } from "./meta.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

export const hostPathVolumeSource: Message = message({ path: kept("string", 1), type: kept("string", 2) });

export const emptyDirVolumeSource: Message = message({ medium: one("string", 1), sizeLimit: one("quantity", 2) });

export const gcePersistentDiskVolumeSource: Message = message({
  pdName: kept("string", 1),
  fsType: one("string", 2),
  partition: one("int32", 3),
  readOnly: one("bool", 4),
});

export const awsElasticBlockStoreVolumeSource: Message = message({
  volumeID: kept("string", 1),
  fsType: one("string", 2),
  partition: one("int32", 3),
  readOnly: one("bool", 4),
});

export const gitRepoVolumeSource: Message = message({
  repository: kept("string", 1),
  revision: one("string", 2),
  directory: one("string", 3),
});

export const nfsVolumeSource: Message = message({
  server: kept("string", 1),
  path: kept("string", 2),
  readOnly: one("bool", 3),
});

export const iscsiVolumeSource: Message = message({
  targetPortal: kept("string", 1),
  iqn: kept("string", 2),
  lun: kept("int32", 3),
  iscsiInterface: one("string", 4),
  fsType: one("string", 5),
  readOnly: one("bool", 6),
  portals: list("string", 7),
  chapAuthDiscovery: one("bool", 8),
  secretRef: one(localObjectReference, 10),
  chapAuthSession: one("bool", 11),
  initiatorName: kept("string", 12),
});

export const glusterfsVolumeSource: Message = message({
  endpoints: kept("string", 1),
  path: kept("string", 2),
  readOnly: one("bool", 3),
});

export const rbdVolumeSource: Message = message({
  monitors: list("string", 1),
  image: kept("string", 2),
  fsType: one("string", 3),
  pool: one("string", 4),
  user: one("string", 5),
  keyring: one("string", 6),
  secretRef: one(localObjectReference, 7),
  readOnly: one("bool", 8),
});

export const flexVolumeSource: Message = message({
  driver: kept("string", 1),
  fsType: one("string", 2),
  secretRef: one(localObjectReference, 3),
  readOnly: one("bool", 4),
  options: map("string", 5),
});

export const cinderVolumeSource: Message = message({
  volumeID: kept("string", 1),
  fsType: one("string", 2),
  readOnly: one("bool", 3),
  secretRef: one(localObjectReference, 4),
});

export const cephFSVolumeSource: Message = message({
  monitors: list("string", 1),
  path: one("string", 2),
  user: one("string", 3),
  secretFile: one("string", 4),
  secretRef: one(localObjectReference, 5),
  readOnly: one("bool", 6),
});

export const flockerVolumeSource: Message = message({ datasetName: one("string", 1), datasetUUID: one("string", 2) });

export const fcVolumeSource: Message = message({
  targetWWNs: list("string", 1),
  lun: kept("int32", 2),
  fsType: one("string", 3),
  readOnly: one("bool", 4),
  wwids: list("string", 5),
});

export const azureFileVolumeSource: Message = message({
  secretName: kept("string", 1),
  shareName: kept("string", 2),
  readOnly: one("bool", 3),
});

export const vsphereVirtualDiskVolumeSource: Message = message({
  volumePath: kept("string", 1),
  fsType: one("string", 2),
  storagePolicyName: one("string", 3),
  storagePolicyID: one("string", 4),
});

export const quobyteVolumeSource: Message = message({
  registry: kept("string", 1),
  volume: kept("string", 2),
  readOnly: one("bool", 3),
  user: one("string", 4),
  group: one("string", 5),
  tenant: one("string", 6),
});

export const azureDiskVolumeSource: Message = message({
  diskName: kept("string", 1),
  diskURI: kept("string", 2),
  cachingMode: kept("string", 3),
  fsType: kept("string", 4),
  readOnly: kept("bool", 5),
  kind: kept("string", 6),
});

export const photonPersistentDiskVolumeSource: Message = message({ pdID: kept("string", 1), fsType: one("string", 2) });

export const portworxVolumeSource: Message = message({
  volumeID: kept("string", 1),
  fsType: one("string", 2),
  readOnly: one("bool", 3),
});

export const scaleIOVolumeSource: Message = message({
  gateway: kept("string", 1),
  system: kept("string", 2),
  secretRef: one(localObjectReference, 3),
  sslEnabled: one("bool", 4),
  protectionDomain: one("string", 5),
  storagePool: one("string", 6),
  storageMode: one("string", 7),
  volumeName: one("string", 8),
  fsType: one("string", 9),
  readOnly: one("bool", 10),
});

export const storageOSVolumeSource: Message = message({
  volumeName: one("string", 1),
  volumeNamespace: one("string", 2),
  fsType: one("string", 3),
  readOnly: one("bool", 4),
  secretRef: one(localObjectReference, 5),
});

export const csiVolumeSource: Message = message({
  driver: kept("string", 1),
  readOnly: kept("bool", 2),
  fsType: kept("string", 3),
  volumeAttributes: map("string", 4),
  nodePublishSecretRef: one(localObjectReference, 5),
});

export const imageVolumeSource: Message = message({ reference: one("string", 1), pullPolicy: one("string", 2) });
