import { phaseReadiness } from "../../readiness-rule/index.ts";
import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { nodeSelector } from "./affinity.ts";
import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  optional,
  resourceList,
  optionalString,
  optionalStringMap,
  optionalStrings,
  optionalTime,
} from "../field-builders.ts";
import { inTreeVolumeSources } from "./in-tree-volume.ts";
import { objectReference, objectReferenceFields, secretReference } from "./reference.ts";
import { accessModes } from "./persistent-volume-claim.ts";

const hostPathSourceFields = {
  path: requiredString("Path on the node."),
  type: optionalString(
    "Required type: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice, BlockDevice; not checked if empty.",
  ),
};

/** A file or directory of the node. */
export interface HostPathVolumeSource extends ObjectIn<typeof hostPathSourceFields> {}

/** The schema of `HostPathVolumeSource`. */
export const hostPathSource: ObjectSchema<HostPathVolumeSource, HostPathVolumeSource> = s.object(hostPathSourceFields);

const nfsSourceFields = {
  server: requiredString("The server."),
  path: requiredString("Path on the server."),
  readOnly: optionalBoolean("Whether it is mounted read-only."),
};

/** A directory that an NFS server exports. */
export interface NfsVolumeSource extends ObjectIn<typeof nfsSourceFields> {}

/** The schema of `NfsVolumeSource`. */
export const nfsSource: ObjectSchema<NfsVolumeSource, NfsVolumeSource> = s.object(nfsSourceFields);

const persistentVolumeSpecFields = {
  capacity: resourceList("Capacity; storage is the size."),
  accessModes: optional(accessModes, "How nodes can mount it."),
  claimRef: optional(s.object(objectReferenceFields), "The claim it is bound to."),
  persistentVolumeReclaimPolicy: optionalEnum(
    "Reclaim policy when its claim is deleted.",
    "Retain",
    "Delete",
    "Recycle",
  ),
  storageClassName: optionalString("The class it belongs to; none when empty."),
  volumeMode: optionalEnum(
    "Whether it is a file system or a raw device; defaults to Filesystem.",
    "Filesystem",
    "Block",
  ),
  mountOptions: optionalStrings("Mount options; not validated."),
  nodeAffinity: optional(
    s.object({ required: optional(nodeSelector, "The nodes.") }),
    "The nodes from which it can be reached.",
  ),
  volumeAttributesClassName: optionalString("VolumeAttributesClass of the volume."),
  csi: optional(
    s.object({
      driver: requiredString("Name of the driver."),
      volumeHandle: requiredString("Volume handle of the driver."),
      fsType: optionalString("File system to mount."),
      readOnly: optionalBoolean("Whether it is mounted read-only."),
      volumeAttributes: optionalStringMap("Settings of the driver."),
      controllerExpandSecretRef: optional(secretReference, "Secret for expanding it."),
      controllerPublishSecretRef: optional(secretReference, "Secret for attaching it."),
      nodeExpandSecretRef: optional(secretReference, "Secret for expanding it on the node."),
      nodePublishSecretRef: optional(secretReference, "Secret for mounting it into pods."),
      nodeStageSecretRef: optional(secretReference, "Secret for mounting it on the node."),
    }),
    "A volume of a CSI driver.",
  ),
  hostPath: optional(hostPathSource, "A directory of the node, for tests."),
  local: optional(
    s.object({
      path: requiredString("Directory or device on the node."),
      fsType: optionalString("File system to mount, for a device."),
    }),
    "A disk of one node.",
  ),
  nfs: optional(nfsSource, "A directory of an NFS server."),
  ...inTreeVolumeSources({
    secret: secretReference,
    storageos: objectReference,
    azureFile: { secretNamespace: optionalString("Namespace of that secret.") },
    glusterfs: { endpointsNamespace: optionalString("Namespace of that object.") },
  }),
};

/** Specification of a volume. Exactly one source is set. */
export interface PersistentVolumeSpec extends ObjectIn<typeof persistentVolumeSpecFields> {}

/** The schema of `PersistentVolumeSpec`. */
export const persistentVolumeSpec: ObjectSchema<PersistentVolumeSpec, PersistentVolumeSpec> =
  s.object(persistentVolumeSpecFields);

/** A volume in the cluster. */
export const PersistentVolume = builtIn({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  description: "A volume in the cluster.",
  shortNames: ["pv"],
  scope: "Cluster",
  readiness: { of: phaseReadiness(["Available", "Bound", "Released"], ["Failed"]) },
  fields: {
    spec: persistentVolumeSpec.describe("Specification of the volume."),
    status: optional(
      s.object({
        phase: optionalString("Pending, Available, Bound, Released or Failed."),
        message: optionalString("Human-readable reason of the phase."),
        reason: optionalString("Machine-readable reason of the failure."),
        lastPhaseTransitionTime: optionalTime("When the phase last changed."),
      }),
      "Status of the volume.",
    ),
  },
});
