import type { ListSchema, ObjectIn, ObjectSchema } from "../schema/index.ts";
import { nodeSelector } from "./affinity.ts";
import {
  builtIn,
  optionalEnum,
  optionalBoolean,
  requiredString,
  optional,
  withPatchStrategy,
  resourceList,
  s,
  optionalString,
  optionalStringMap,
  optionalStrings,
  optionalTime,
} from "./field-builders.ts";
import { labelSelector, conditionsWithProbeTime, templateMeta } from "./meta.ts";
import { inTreeVolumeSources } from "./in-tree-volume.ts";
import {
  objectReference,
  objectReferenceFields,
  secretReference,
  typedLocalObjectReference,
  typedObjectReference,
} from "./reference.ts";

/** How nodes and pods share a volume. */
export type AccessMode = "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";

/** The schema of a list of `AccessMode`. */
export const accessModes: ListSchema<AccessMode, AccessMode> = s
  .array(s.enum("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"))
  .atomic();

const persistentVolumeClaimSpecFields = {
  accessModes: optional(accessModes, "How nodes mount it."),
  resources: optional(
    s.object({
      requests: resourceList("Minimum resources; storage is the size."),
      limits: resourceList("Maximum resources."),
    }),
    "Requested resources.",
  ),
  storageClassName: optionalString("Storage class; the default class if unset, no class if empty."),
  volumeMode: optionalEnum(
    "Whether it is a file system or a raw device; defaults to Filesystem.",
    "Filesystem",
    "Block",
  ),
  volumeName: optionalString("The volume that the claim is bound to."),
  selector: optional(labelSelector, "Selects volumes by label."),
  dataSource: optional(typedLocalObjectReference, "Data source: a snapshot or another claim."),
  dataSourceRef: optional(typedObjectReference, "Data source of any kind."),
  volumeAttributesClassName: optionalString("VolumeAttributesClass of the volume."),
};

/** The requested storage. */
export interface PersistentVolumeClaimSpec extends ObjectIn<typeof persistentVolumeClaimSpecFields> {}

/** The schema of `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: ObjectSchema<PersistentVolumeClaimSpec, PersistentVolumeClaimSpec> = s.object(
  persistentVolumeClaimSpecFields,
);

const persistentVolumeClaimTemplateFields = {
  metadata: optional(templateMeta, "Labels and annotations of the claim."),
  spec: persistentVolumeClaimSpec.describe("The requested storage."),
};

/** Template of a claim. */
export interface PersistentVolumeClaimTemplate extends ObjectIn<typeof persistentVolumeClaimTemplateFields> {}

/** The schema of `PersistentVolumeClaimTemplate`. */
export const persistentVolumeClaimTemplate: ObjectSchema<PersistentVolumeClaimTemplate, PersistentVolumeClaimTemplate> =
  s.object(persistentVolumeClaimTemplateFields);

const persistentVolumeClaimStatusFields = {
  phase: optionalString("Pending, Bound or Lost."),
  accessModes: optional(accessModes, "How the volume can be mounted."),
  capacity: resourceList("Capacity of the volume."),
  conditions: withPatchStrategy("merge", optional(conditionsWithProbeTime, "Conditions of a resize."), "type"),
  allocatedResources: resourceList("Resources allocated during a resize."),
  allocatedResourceStatuses: optionalStringMap("Status of the resize per resource."),
  currentVolumeAttributesClassName: optionalString("The class of settings in force."),
  modifyVolumeStatus: optional(
    s.object({
      status: requiredString("Status: Pending, InProgress or Infeasible."),
      targetVolumeAttributesClassName: optionalString("The class to change to."),
    }),
    "Status of the change of the class.",
  ),
};

/** Status of a claim. */
export interface PersistentVolumeClaimStatus extends ObjectIn<typeof persistentVolumeClaimStatusFields> {}

/** The schema of `PersistentVolumeClaimStatus`. */
export const persistentVolumeClaimStatus: ObjectSchema<PersistentVolumeClaimStatus, PersistentVolumeClaimStatus> =
  s.object(persistentVolumeClaimStatusFields);

/** A request for storage, bound to a matching volume. */
export const PersistentVolumeClaim = builtIn({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  description: "A request for storage, bound to a matching volume.",
  shortNames: ["pvc"],
  fields: {
    spec: persistentVolumeClaimSpec.describe("The requested storage."),
    status: optional(persistentVolumeClaimStatus, "Status of the claim."),
  },
});

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
