import { persistentVolumeClaimTemplate } from "./persistent-volume-claim.ts";
import { labelSelector, localObjectReference } from "./meta.ts";
import { embeddedField, presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFileVolumeSource,
  cephFSVolumeSource,
  cinderVolumeSource,
  csiVolumeSource,
  emptyDirVolumeSource,
  fcVolumeSource,
  flexVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  gitRepoVolumeSource,
  glusterfsVolumeSource,
  hostPathVolumeSource,
  imageVolumeSource,
  iscsiVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rbdVolumeSource,
  scaleIOVolumeSource,
  storageOSVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from "./volume-source.ts";

const keyToPath: MessageTable = messageTable({
  key: presentField("string", 1),
  path: presentField("string", 2),
  mode: presentField("int32", 3),
});

export const objectFieldSelector: MessageTable = messageTable({
  apiVersion: omitEmptyField("string", 1),
  fieldPath: presentField("string", 2),
});

export const resourceFieldSelector: MessageTable = messageTable({
  containerName: omitEmptyField("string", 1),
  resource: presentField("string", 2),
  divisor: omitEmptyField("quantity", 3),
});

const downwardAPIVolumeFile: MessageTable = messageTable({
  path: presentField("string", 1),
  fieldRef: omitEmptyField(objectFieldSelector, 2),
  resourceFieldRef: omitEmptyField(resourceFieldSelector, 3),
  mode: presentField("int32", 4),
});

const projectedReference: MessageTable = messageTable({
  localObjectReference: embeddedField(localObjectReference, 1),
  items: repeatedField(keyToPath, 2),
  optional: presentField("bool", 4),
});

const podCertificateProjection: MessageTable = messageTable({
  signerName: omitEmptyField("string", 1),
  keyType: omitEmptyField("string", 2),
  maxExpirationSeconds: presentField("int32", 3),
  credentialBundlePath: omitEmptyField("string", 4),
  keyPath: omitEmptyField("string", 5),
  certificateChainPath: omitEmptyField("string", 6),
  userAnnotations: mapField("string", 7),
});

const volumeProjection: MessageTable = messageTable({
  secret: omitEmptyField(projectedReference, 1),
  downwardAPI: omitEmptyField(messageTable({ items: repeatedField(downwardAPIVolumeFile, 1) }), 2),
  configMap: omitEmptyField(projectedReference, 3),
  serviceAccountToken: omitEmptyField(
    messageTable({
      audience: omitEmptyField("string", 1),
      expirationSeconds: presentField("int64", 2),
      path: presentField("string", 3),
    }),
    4,
  ),
  clusterTrustBundle: omitEmptyField(
    messageTable({
      name: presentField("string", 1),
      signerName: presentField("string", 2),
      labelSelector: omitEmptyField(labelSelector, 3),
      path: presentField("string", 4),
      optional: presentField("bool", 5),
    }),
    5,
  ),
  podCertificate: omitEmptyField(podCertificateProjection, 6),
});

const volumeSource: MessageTable = messageTable({
  hostPath: omitEmptyField(hostPathVolumeSource, 1),
  emptyDir: omitEmptyField(emptyDirVolumeSource, 2),
  gcePersistentDisk: omitEmptyField(gcePersistentDiskVolumeSource, 3),
  awsElasticBlockStore: omitEmptyField(awsElasticBlockStoreVolumeSource, 4),
  gitRepo: omitEmptyField(gitRepoVolumeSource, 5),
  secret: omitEmptyField(
    messageTable({
      secretName: omitEmptyField("string", 1),
      items: repeatedField(keyToPath, 2),
      defaultMode: presentField("int32", 3),
      optional: presentField("bool", 4),
    }),
    6,
  ),
  nfs: omitEmptyField(nfsVolumeSource, 7),
  iscsi: omitEmptyField(iscsiVolumeSource, 8),
  glusterfs: omitEmptyField(glusterfsVolumeSource, 9),
  persistentVolumeClaim: omitEmptyField(
    messageTable({ claimName: presentField("string", 1), readOnly: omitEmptyField("bool", 2) }),
    10,
  ),
  rbd: omitEmptyField(rbdVolumeSource, 11),
  flexVolume: omitEmptyField(flexVolumeSource, 12),
  cinder: omitEmptyField(cinderVolumeSource, 13),
  cephfs: omitEmptyField(cephFSVolumeSource, 14),
  flocker: omitEmptyField(flockerVolumeSource, 15),
  downwardAPI: omitEmptyField(
    messageTable({ items: repeatedField(downwardAPIVolumeFile, 1), defaultMode: presentField("int32", 2) }),
    16,
  ),
  fc: omitEmptyField(fcVolumeSource, 17),
  azureFile: omitEmptyField(azureFileVolumeSource, 18),
  configMap: omitEmptyField(
    messageTable({
      localObjectReference: embeddedField(localObjectReference, 1),
      items: repeatedField(keyToPath, 2),
      defaultMode: presentField("int32", 3),
      optional: presentField("bool", 4),
    }),
    19,
  ),
  vsphereVolume: omitEmptyField(vsphereVirtualDiskVolumeSource, 20),
  quobyte: omitEmptyField(quobyteVolumeSource, 21),
  azureDisk: omitEmptyField(azureDiskVolumeSource, 22),
  photonPersistentDisk: omitEmptyField(photonPersistentDiskVolumeSource, 23),
  portworxVolume: omitEmptyField(portworxVolumeSource, 24),
  scaleIO: omitEmptyField(scaleIOVolumeSource, 25),
  projected: omitEmptyField(
    messageTable({ sources: repeatedField(volumeProjection, 1), defaultMode: presentField("int32", 2) }),
    26,
  ),
  storageos: omitEmptyField(storageOSVolumeSource, 27),
  csi: omitEmptyField(csiVolumeSource, 28),
  ephemeral: omitEmptyField(
    messageTable({ volumeClaimTemplate: omitEmptyField(persistentVolumeClaimTemplate, 1) }),
    29,
  ),
  image: omitEmptyField(imageVolumeSource, 30),
});

export const volume: MessageTable = messageTable({
  name: presentField("string", 1),
  volumeSource: embeddedField(volumeSource, 2),
});
