import type { ListSchema, ObjectIn, ObjectSchema } from "../schema/index.ts";
import { nodeSelector } from "./affinity.ts";
import { builtIn, choice, flag, given, optional, patched, quantities, s, text, textMap, texts, time } from "./field.ts";
import { labelSelector, probedConditions, templateMeta } from "./meta.ts";
import { oldSources } from "./old-volume.ts";
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
      requests: quantities("The least that is wanted; storage is the size."),
      limits: quantities("The most that is taken."),
    }),
    "How much is wanted.",
  ),
  storageClassName: text("The class to make it from; the default class unless given, none when empty."),
  volumeMode: choice("Whether it is a file system or a raw device; Filesystem unless given.", "Filesystem", "Block"),
  volumeName: text("The volume that the claim is bound to."),
  selector: optional(labelSelector, "The volumes that come into question, by label."),
  dataSource: optional(typedLocalObjectReference, "What to fill it with: a snapshot or another claim."),
  dataSourceRef: optional(typedObjectReference, "What to fill it with, of any kind."),
  volumeAttributesClassName: text("Class of settings that may change later."),
};

/** The storage that is wanted. */
export interface PersistentVolumeClaimSpec extends ObjectIn<typeof persistentVolumeClaimSpecFields> {}

/** The schema of `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: ObjectSchema<PersistentVolumeClaimSpec, PersistentVolumeClaimSpec> = s.object(
  persistentVolumeClaimSpecFields,
);

const persistentVolumeClaimTemplateFields = {
  metadata: optional(templateMeta, "Labels and annotations of the claim."),
  spec: persistentVolumeClaimSpec.describe("The storage that is wanted."),
};

/** A claim to be made. */
export interface PersistentVolumeClaimTemplate extends ObjectIn<typeof persistentVolumeClaimTemplateFields> {}

/** The schema of `PersistentVolumeClaimTemplate`. */
export const persistentVolumeClaimTemplate: ObjectSchema<PersistentVolumeClaimTemplate, PersistentVolumeClaimTemplate> =
  s.object(persistentVolumeClaimTemplateFields);

const persistentVolumeClaimStatusFields = {
  phase: text("Pending, Bound or Lost."),
  accessModes: optional(accessModes, "How the volume can be mounted."),
  capacity: quantities("How much the volume has."),
  conditions: patched("merge", optional(probedConditions, "How a change of size goes."), "type"),
  allocatedResources: quantities("How much is set aside while the size changes."),
  allocatedResourceStatuses: textMap("How far the change of each amount is."),
  currentVolumeAttributesClassName: text("The class of settings in force."),
  modifyVolumeStatus: optional(
    s.object({
      status: given("How far it is: Pending, InProgress or Infeasible."),
      targetVolumeAttributesClassName: text("The class to change to."),
    }),
    "How far a change of that class is.",
  ),
};

/** What a claim got. */
export interface PersistentVolumeClaimStatus extends ObjectIn<typeof persistentVolumeClaimStatusFields> {}

/** The schema of `PersistentVolumeClaimStatus`. */
export const persistentVolumeClaimStatus: ObjectSchema<PersistentVolumeClaimStatus, PersistentVolumeClaimStatus> =
  s.object(persistentVolumeClaimStatusFields);

/** A wish for storage, bound to a volume that fulfils it. */
export const PersistentVolumeClaim = builtIn({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  description: "A wish for storage, bound to a volume that fulfils it.",
  shortNames: ["pvc"],
  fields: {
    spec: persistentVolumeClaimSpec.describe("The storage that is wanted."),
    status: optional(persistentVolumeClaimStatus, "What the claim got."),
  },
});

const hostPathSourceFields = {
  path: given("Path on the node."),
  type: text(
    "What must be there, or be made: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice, BlockDevice; unchecked when empty.",
  ),
};

/** A file or directory of the node. */
export interface HostPathSource extends ObjectIn<typeof hostPathSourceFields> {}

/** The schema of `HostPathSource`. */
export const hostPathSource: ObjectSchema<HostPathSource, HostPathSource> = s.object(hostPathSourceFields);

const nfsSourceFields = {
  server: given("The server."),
  path: given("Path on the server."),
  readOnly: flag("Whether it cannot be written."),
};

/** A directory that an NFS server exports. */
export interface NfsSource extends ObjectIn<typeof nfsSourceFields> {}

/** The schema of `NfsSource`. */
export const nfsSource: ObjectSchema<NfsSource, NfsSource> = s.object(nfsSourceFields);

const persistentVolumeSpecFields = {
  capacity: quantities("How much there is; storage is the size."),
  accessModes: optional(accessModes, "How nodes can mount it."),
  claimRef: optional(s.object(objectReferenceFields), "The claim it is bound to."),
  persistentVolumeReclaimPolicy: choice("What becomes of it when its claim goes.", "Retain", "Delete", "Recycle"),
  storageClassName: text("The class it belongs to; none when empty."),
  volumeMode: choice("Whether it is a file system or a raw device; Filesystem unless given.", "Filesystem", "Block"),
  mountOptions: texts("Options of mount; unchecked."),
  nodeAffinity: optional(
    s.object({ required: optional(nodeSelector, "The nodes.") }),
    "The nodes from which it can be reached.",
  ),
  volumeAttributesClassName: text("Class of settings that may change later."),
  csi: optional(
    s.object({
      driver: given("Name of the driver."),
      volumeHandle: given("What the driver calls the volume."),
      fsType: text("File system to mount."),
      readOnly: flag("Whether it cannot be written."),
      volumeAttributes: textMap("Settings of the driver."),
      controllerExpandSecretRef: optional(secretReference, "Secret for growing it."),
      controllerPublishSecretRef: optional(secretReference, "Secret for attaching it."),
      nodeExpandSecretRef: optional(secretReference, "Secret for growing it on the node."),
      nodePublishSecretRef: optional(secretReference, "Secret for mounting it into pods."),
      nodeStageSecretRef: optional(secretReference, "Secret for mounting it on the node."),
    }),
    "A volume of a driver.",
  ),
  hostPath: optional(hostPathSource, "A directory of the node, for trying things out."),
  local: optional(
    s.object({ path: given("Directory or device on the node."), fsType: text("File system to mount, for a device.") }),
    "A disk of one node.",
  ),
  nfs: optional(nfsSource, "A directory of an NFS server."),
  ...oldSources({
    secret: secretReference,
    storageos: objectReference,
    azureFile: { secretNamespace: text("Namespace of that secret.") },
    glusterfs: { endpointsNamespace: text("Namespace of that object.") },
  }),
};

/** A piece of storage, and how to reach it. Exactly one source is given. */
export interface PersistentVolumeSpec extends ObjectIn<typeof persistentVolumeSpecFields> {}

/** The schema of `PersistentVolumeSpec`. */
export const persistentVolumeSpec: ObjectSchema<PersistentVolumeSpec, PersistentVolumeSpec> =
  s.object(persistentVolumeSpecFields);

/** A piece of storage in the cluster. */
export const PersistentVolume = builtIn({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  description: "A piece of storage in the cluster.",
  shortNames: ["pv"],
  scope: "Cluster",
  fields: {
    spec: persistentVolumeSpec.describe("The storage and how to reach it."),
    status: optional(
      s.object({
        phase: text("Pending, Available, Bound, Released or Failed."),
        message: text("Why it is in that phase, for people."),
        reason: text("Why it failed, in one word."),
        lastPhaseTransitionTime: time("When the phase last changed."),
      }),
      "What is known of it.",
    ),
  },
});
