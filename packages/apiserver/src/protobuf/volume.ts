import { persistentVolumeClaimTemplate } from "./claim.ts";
import { labelSelector, localObjectReference } from "./meta.ts";
import { inline, kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";
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

const keyToPath: Message = message({ key: kept("string", 1), path: kept("string", 2), mode: kept("int32", 3) });

export const objectFieldSelector: Message = message({ apiVersion: one("string", 1), fieldPath: kept("string", 2) });

export const resourceFieldSelector: Message = message({
  containerName: one("string", 1),
  resource: kept("string", 2),
  divisor: one("quantity", 3),
});

const downwardAPIVolumeFile: Message = message({
  path: kept("string", 1),
  fieldRef: one(objectFieldSelector, 2),
  resourceFieldRef: one(resourceFieldSelector, 3),
  mode: kept("int32", 4),
});

const projectedReference: Message = message({
  localObjectReference: inline(localObjectReference, 1),
  items: list(keyToPath, 2),
  optional: kept("bool", 4),
});

const podCertificateProjection: Message = message({
  signerName: one("string", 1),
  keyType: one("string", 2),
  maxExpirationSeconds: kept("int32", 3),
  credentialBundlePath: one("string", 4),
  keyPath: one("string", 5),
  certificateChainPath: one("string", 6),
  userAnnotations: map("string", 7),
});

const volumeProjection: Message = message({
  secret: one(projectedReference, 1),
  downwardAPI: one(message({ items: list(downwardAPIVolumeFile, 1) }), 2),
  configMap: one(projectedReference, 3),
  serviceAccountToken: one(
    message({ audience: one("string", 1), expirationSeconds: kept("int64", 2), path: kept("string", 3) }),
    4,
  ),
  clusterTrustBundle: one(
    message({
      name: kept("string", 1),
      signerName: kept("string", 2),
      labelSelector: one(labelSelector, 3),
      path: kept("string", 4),
      optional: kept("bool", 5),
    }),
    5,
  ),
  podCertificate: one(podCertificateProjection, 6),
});

const volumeSource: Message = message({
  hostPath: one(hostPathVolumeSource, 1),
  emptyDir: one(emptyDirVolumeSource, 2),
  gcePersistentDisk: one(gcePersistentDiskVolumeSource, 3),
  awsElasticBlockStore: one(awsElasticBlockStoreVolumeSource, 4),
  gitRepo: one(gitRepoVolumeSource, 5),
  secret: one(
    message({
      secretName: one("string", 1),
      items: list(keyToPath, 2),
      defaultMode: kept("int32", 3),
      optional: kept("bool", 4),
    }),
    6,
  ),
  nfs: one(nfsVolumeSource, 7),
  iscsi: one(iscsiVolumeSource, 8),
  glusterfs: one(glusterfsVolumeSource, 9),
  persistentVolumeClaim: one(message({ claimName: kept("string", 1), readOnly: one("bool", 2) }), 10),
  rbd: one(rbdVolumeSource, 11),
  flexVolume: one(flexVolumeSource, 12),
  cinder: one(cinderVolumeSource, 13),
  cephfs: one(cephFSVolumeSource, 14),
  flocker: one(flockerVolumeSource, 15),
  downwardAPI: one(message({ items: list(downwardAPIVolumeFile, 1), defaultMode: kept("int32", 2) }), 16),
  fc: one(fcVolumeSource, 17),
  azureFile: one(azureFileVolumeSource, 18),
  configMap: one(
    message({
      localObjectReference: inline(localObjectReference, 1),
      items: list(keyToPath, 2),
      defaultMode: kept("int32", 3),
      optional: kept("bool", 4),
    }),
    19,
  ),
  vsphereVolume: one(vsphereVirtualDiskVolumeSource, 20),
  quobyte: one(quobyteVolumeSource, 21),
  azureDisk: one(azureDiskVolumeSource, 22),
  photonPersistentDisk: one(photonPersistentDiskVolumeSource, 23),
  portworxVolume: one(portworxVolumeSource, 24),
  scaleIO: one(scaleIOVolumeSource, 25),
  projected: one(message({ sources: list(volumeProjection, 1), defaultMode: kept("int32", 2) }), 26),
  storageos: one(storageOSVolumeSource, 27),
  csi: one(csiVolumeSource, 28),
  ephemeral: one(message({ volumeClaimTemplate: one(persistentVolumeClaimTemplate, 1) }), 29),
  image: one(imageVolumeSource, 30),
});

export const volume: Message = message({ name: kept("string", 1), volumeSource: inline(volumeSource, 2) });
