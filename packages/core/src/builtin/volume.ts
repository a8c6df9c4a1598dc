import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { choice, flag, given, int32, int64, optional, quantity, s, text, textMap } from "./field.ts";
import { labelSelector } from "./meta.ts";
import { oldSource, oldSources } from "./old-volume.ts";
import { hostPathSource, nfsSource, persistentVolumeClaimTemplate } from "./persistent-volume.ts";
import { localObjectReference, objectFieldSelector, resourceFieldSelector } from "./reference.ts";

const keyToPathFields = {
  key: given("The key."),
  path: given("The file, relative to the volume."),
  mode: int32("Permission bits of the file."),
};

/** One key as a file. */
export interface KeyToPath extends ObjectIn<typeof keyToPathFields> {}

/** The schema of `KeyToPath`. */
export const keyToPath: ObjectSchema<KeyToPath, KeyToPath> = s.object(keyToPathFields);

const downwardApiFileFields = {
  path: given("The file, relative to the volume."),
  fieldRef: optional(objectFieldSelector, "A field of the pod."),
  resourceFieldRef: optional(resourceFieldSelector, "A resource amount of a container."),
  mode: int32("Permission bits of the file."),
};

/** A fact about the pod as a file. */
export interface DownwardApiFile extends ObjectIn<typeof downwardApiFileFields> {}

/** The schema of `DownwardApiFile`. */
const downwardApiFile: ObjectSchema<DownwardApiFile, DownwardApiFile> = s.object(downwardApiFileFields);

const volumeFields = {
  name: given("Name of the volume, once in a pod."),
  configMap: optional(
    s.object({
      name: text("Name of the config map."),
      items: optional(s.array(keyToPath).atomic(), "The keys to show, and where; all by their names unless given."),
      defaultMode: int32("Permission bits of files; 0644 unless given."),
      optional: flag("Whether the config map or its keys may be missing."),
    }),
    "The keys of a config map as files.",
  ),
  secret: optional(
    s.object({
      secretName: text("Name of the secret."),
      items: optional(s.array(keyToPath).atomic(), "The keys to show, and where; all by their names unless given."),
      defaultMode: int32("Permission bits of files; 0644 unless given."),
      optional: flag("Whether the secret or its keys may be missing."),
    }),
    "The keys of a secret as files.",
  ),
  downwardAPI: optional(
    s.object({
      items: optional(s.array(downwardApiFile).atomic(), "The files."),
      defaultMode: int32("Permission bits of files; 0644 unless given."),
    }),
    "Facts about the pod as files.",
  ),
  projected: optional(
    s.object({
      sources: optional(
        s
          .array(
            s.object({
              configMap: optional(
                s.object({
                  name: text("Name of the config map."),
                  items: optional(
                    s.array(keyToPath).atomic(),
                    "The keys to show, and where; all by their names unless given.",
                  ),
                  optional: flag("Whether the config map or its keys may be missing."),
                }),
                "From a config map.",
              ),
              secret: optional(
                s.object({
                  name: text("Name of the secret."),
                  items: optional(
                    s.array(keyToPath).atomic(),
                    "The keys to show, and where; all by their names unless given.",
                  ),
                  optional: flag("Whether the secret or its keys may be missing."),
                }),
                "From a secret.",
              ),
              downwardAPI: optional(
                s.object({ items: optional(s.array(downwardApiFile).atomic(), "The files.") }),
                "From the pod itself.",
              ),
              serviceAccountToken: optional(
                s.object({
                  path: given("The file, relative to the volume."),
                  audience: text("Who is to accept the token; the API server unless given."),
                  expirationSeconds: int64("How long a token is good for; it is renewed in time."),
                }),
                "A token of the pod's service account.",
              ),
              clusterTrustBundle: optional(
                s.object({
                  path: given("The file, relative to the volume."),
                  name: text("One bundle by name."),
                  signerName: text("All bundles of a signer."),
                  labelSelector: optional(labelSelector, "Which of the signer's bundles."),
                  optional: flag("Whether the bundle may be missing."),
                }),
                "Certificates to trust.",
              ),
              podCertificate: optional(
                s.object({
                  signerName: given("Who signs the certificate."),
                  keyType: given("Kind of key to make."),
                  credentialBundlePath: text("File for key and certificates together."),
                  keyPath: text("File for the key."),
                  certificateChainPath: text("File for the certificates."),
                  maxExpirationSeconds: int32("The longest life the certificate may have."),
                  userAnnotations: textMap("Further wishes for the signer."),
                }),
                "A certificate of the pod's own.",
              ),
            }),
          )
          .atomic(),
        "What is put together.",
      ),
      defaultMode: int32("Permission bits of files; 0644 unless given."),
    }),
    "Several sources in one directory.",
  ),
  emptyDir: optional(
    s.object({
      medium: text("What it is made of: the node's disk unless given, or Memory."),
      sizeLimit: quantity("How large it may become."),
    }),
    "An empty directory that lives as long as the pod.",
  ),
  persistentVolumeClaim: optional(
    s.object({
      claimName: given("Name of the claim in the pod's namespace."),
      readOnly: flag("Whether it is mounted so that it cannot be written."),
    }),
    "A claim of its own life.",
  ),
  ephemeral: optional(
    s.object({
      volumeClaimTemplate: optional(
        persistentVolumeClaimTemplate,
        "The claim that is made with the pod and goes with it.",
      ),
    }),
    "A claim that lives as long as the pod.",
  ),
  csi: optional(
    s.object({
      driver: given("Name of the driver."),
      fsType: text("File system to mount."),
      nodePublishSecretRef: optional(localObjectReference, "What the driver needs to know in confidence."),
      readOnly: flag("Whether it cannot be written."),
      volumeAttributes: textMap("Settings of the driver."),
    }),
    "A volume that a driver makes for the pod.",
  ),
  hostPath: optional(hostPathSource, "A file or directory of the node."),
  nfs: optional(nfsSource, "A directory of an NFS server."),
  image: optional(
    s.object({
      reference: text("The image or artifact."),
      pullPolicy: choice("When to fetch it.", "Always", "IfNotPresent", "Never"),
    }),
    "The files of an image.",
  ),
  ...oldSources({ secret: localObjectReference, storageos: localObjectReference, azureFile: {}, glusterfs: {} }),
  gitRepo: oldSource("A clone of a Git repository.", {
    repository: given("Where it is."),
    directory: text("Where it goes."),
    revision: text("Which commit."),
  }),
};

/** Storage that containers of a pod can mount. Exactly one source is given. */
export interface Volume extends ObjectIn<typeof volumeFields> {}

/** The schema of `Volume`. */
export const volume: ObjectSchema<Volume, Volume> = s.object(volumeFields);
