import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  quantity,
  optionalString,
  optionalStringMap,
} from "../field-builders.ts";
import { labelSelector } from "../meta.ts";
import { inTreeVolumeSource, inTreeVolumeSources } from "./in-tree-volume.ts";
import { hostPathSource, nfsSource } from "./persistent-volume.ts";
import { persistentVolumeClaimTemplate } from "./persistent-volume-claim.ts";
import { localObjectReference, objectFieldSelector, resourceFieldSelector } from "./reference.ts";

const keyToPathFields = {
  key: requiredString("The key."),
  path: requiredString("The file, relative to the volume."),
  mode: int32("Permission bits of the file."),
};

/** Projects a key to a file. */
export interface KeyToPath extends ObjectIn<typeof keyToPathFields> {}

/** The schema of `KeyToPath`. */
export const keyToPath: ObjectSchema<KeyToPath, KeyToPath> = s.object(keyToPathFields);

const downwardApiFileFields = {
  path: requiredString("The file, relative to the volume."),
  fieldRef: optional(objectFieldSelector, "A field of the pod."),
  resourceFieldRef: optional(resourceFieldSelector, "A resource amount of a container."),
  mode: int32("Permission bits of the file."),
};

/** Projects a field of the pod to a file. */
export interface DownwardApiVolumeFile extends ObjectIn<typeof downwardApiFileFields> {}

/** The schema of `DownwardApiVolumeFile`. */
const downwardApiFile: ObjectSchema<DownwardApiVolumeFile, DownwardApiVolumeFile> = s.object(downwardApiFileFields);

const volumeFields = {
  name: requiredString("Name of the volume, once in a pod."),
  configMap: optional(
    s.object({
      name: optionalString("Name of the config map."),
      items: optional(s.array(keyToPath).atomic(), "Keys to project, with their paths; defaults to all keys."),
      defaultMode: int32("Permission bits of files; defaults to 0644."),
      optional: optionalBoolean("Whether the config map or its keys may be missing."),
    }),
    "The keys of a config map as files.",
  ),
  secret: optional(
    s.object({
      secretName: optionalString("Name of the secret."),
      items: optional(s.array(keyToPath).atomic(), "Keys to project, with their paths; defaults to all keys."),
      defaultMode: int32("Permission bits of files; defaults to 0644."),
      optional: optionalBoolean("Whether the secret or its keys may be missing."),
    }),
    "The keys of a secret as files.",
  ),
  downwardAPI: optional(
    s.object({
      items: optional(s.array(downwardApiFile).atomic(), "The files."),
      defaultMode: int32("Permission bits of files; defaults to 0644."),
    }),
    "Pod fields as files (downward API).",
  ),
  projected: optional(
    s.object({
      sources: optional(
        s
          .array(
            s.object({
              configMap: optional(
                s.object({
                  name: optionalString("Name of the config map."),
                  items: optional(
                    s.array(keyToPath).atomic(),
                    "Keys to project, with their paths; defaults to all keys.",
                  ),
                  optional: optionalBoolean("Whether the config map or its keys may be missing."),
                }),
                "From a config map.",
              ),
              secret: optional(
                s.object({
                  name: optionalString("Name of the secret."),
                  items: optional(
                    s.array(keyToPath).atomic(),
                    "Keys to project, with their paths; defaults to all keys.",
                  ),
                  optional: optionalBoolean("Whether the secret or its keys may be missing."),
                }),
                "From a secret.",
              ),
              downwardAPI: optional(
                s.object({ items: optional(s.array(downwardApiFile).atomic(), "The files.") }),
                "From the pod itself.",
              ),
              serviceAccountToken: optional(
                s.object({
                  path: requiredString("The file, relative to the volume."),
                  audience: optionalString("Audience of the token; defaults to the API server."),
                  expirationSeconds: int64("Lifetime of a token in seconds; it is renewed before it expires."),
                }),
                "A token of the pod's service account.",
              ),
              clusterTrustBundle: optional(
                s.object({
                  path: requiredString("The file, relative to the volume."),
                  name: optionalString("One bundle by name."),
                  signerName: optionalString("All bundles of a signer."),
                  labelSelector: optional(labelSelector, "Selects trust bundles of the signer."),
                  optional: optionalBoolean("Whether the bundle may be missing."),
                }),
                "Certificates to trust.",
              ),
              podCertificate: optional(
                s.object({
                  signerName: requiredString("Name of the signer."),
                  keyType: requiredString("Kind of key to make."),
                  credentialBundlePath: optionalString("File for key and certificates together."),
                  keyPath: optionalString("File for the key."),
                  certificateChainPath: optionalString("File for the certificates."),
                  maxExpirationSeconds: int32("Maximum lifetime of the certificate."),
                  userAnnotations: optionalStringMap("Additional options for the signer."),
                }),
                "A certificate issued for the pod.",
              ),
            }),
          )
          .atomic(),
        "Aggregation rule.",
      ),
      defaultMode: int32("Permission bits of files; defaults to 0644."),
    }),
    "Several sources in one directory.",
  ),
  emptyDir: optional(
    s.object({
      medium: optionalString("Storage medium: the node's disk by default, or Memory."),
      sizeLimit: quantity("Maximum size."),
    }),
    "An empty directory with the lifetime of the pod.",
  ),
  persistentVolumeClaim: optional(
    s.object({
      claimName: requiredString("Name of the claim in the pod's namespace."),
      readOnly: optionalBoolean("Whether it is mounted read-only."),
    }),
    "A generic ephemeral volume.",
  ),
  ephemeral: optional(
    s.object({
      volumeClaimTemplate: optional(persistentVolumeClaimTemplate, "Template of a claim with the lifetime of the pod."),
    }),
    "A claim with the lifetime of the pod.",
  ),
  csi: optional(
    s.object({
      driver: requiredString("Name of the driver."),
      fsType: optionalString("File system to mount."),
      nodePublishSecretRef: optional(localObjectReference, "Secret with confidential options of the driver."),
      readOnly: optionalBoolean("Whether it is mounted read-only."),
      volumeAttributes: optionalStringMap("Settings of the driver."),
    }),
    "An ephemeral volume of a CSI driver.",
  ),
  hostPath: optional(hostPathSource, "A file or directory of the node."),
  nfs: optional(nfsSource, "A directory of an NFS server."),
  image: optional(
    s.object({
      reference: optionalString("The image or artifact."),
      pullPolicy: optionalEnum("Pull policy.", "Always", "IfNotPresent", "Never"),
    }),
    "The files of an image.",
  ),
  ...inTreeVolumeSources({
    secret: localObjectReference,
    storageos: localObjectReference,
    azureFile: {},
    glusterfs: {},
  }),
  gitRepo: inTreeVolumeSource("A clone of a Git repository.", {
    repository: requiredString("URL of the repository."),
    directory: optionalString("Target directory."),
    revision: optionalString("Commit hash."),
  }),
};

/** A volume that containers of a pod can mount. Exactly one source is set. */
export interface Volume extends ObjectIn<typeof volumeFields> {}

/** The schema of `Volume`. */
export const volume: ObjectSchema<Volume, Volume> = s.object(volumeFields);
