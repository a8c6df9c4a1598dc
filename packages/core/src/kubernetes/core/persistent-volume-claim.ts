import { claimReadiness } from "../../readiness-rule/index.ts";
import type { ListSchema, ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  requiredString,
  optional,
  withPatchStrategy,
  resourceList,
  optionalString,
  optionalStringMap,
} from "../field-builders.ts";
import { labelSelector, conditionsWithProbeTime, templateMeta } from "../meta.ts";
import { typedLocalObjectReference, typedObjectReference } from "./reference.ts";

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
  readiness: { of: claimReadiness },
  fields: {
    spec: persistentVolumeClaimSpec.describe("The requested storage."),
    status: optional(persistentVolumeClaimStatus, "Status of the claim."),
  },
});
