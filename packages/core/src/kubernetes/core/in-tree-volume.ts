import type { JsonObject } from "../../json/index.ts";
import { Schema, s } from "../../schema/index.ts";
import type { AnySchema } from "../../schema/index.ts";
import {
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  optional,
  optionalString,
  optionalStringMap,
  optionalStrings,
} from "../field-builders.ts";
import type { Optional } from "../field-builders.ts";

/** Fields of in-tree volume sources, which CSI drivers have replaced. */
export type InTreeVolumeSource =
  | "awsElasticBlockStore"
  | "azureDisk"
  | "azureFile"
  | "cephfs"
  | "cinder"
  | "fc"
  | "flexVolume"
  | "flocker"
  | "gcePersistentDisk"
  | "glusterfs"
  | "iscsi"
  | "photonPersistentDisk"
  | "portworxVolume"
  | "quobyte"
  | "rbd"
  | "scaleIO"
  | "storageos"
  | "vsphereVolume";

/** A deprecated volume source. The server checks the types of its fields only; in TypeScript it is any object. */
export function inTreeVolumeSource(
  description: string,
  fields: Readonly<Record<string, AnySchema>>,
): Optional<JsonObject> {
  return new Schema({ ...s.object(fields).structural, description }, "optional");
}

const fsType = optionalString("File system to mount.");
const readOnly = optionalBoolean("Whether it is mounted read-only.");
const user = optionalString("User name.");

/** Secret references differ: pods have a namespace, volumes do not. */
export interface InTreeSecretRefs {
  readonly secret: Schema<unknown, unknown>;
  /** The same for StorageOS. */
  readonly storageos: Schema<unknown, unknown>;
  /** Further fields of Azure files and GlusterFS. */
  readonly azureFile: Readonly<Record<string, AnySchema>>;
  readonly glusterfs: Readonly<Record<string, AnySchema>>;
}

/** In-tree volume sources that CSI drivers have replaced. */
export function inTreeVolumeSources(
  place: InTreeSecretRefs,
): Readonly<Record<InTreeVolumeSource, Optional<JsonObject>>> {
  return { ...cloudSources(place), ...networkSources(place), ...applianceSources(place) };
}

type CloudSource =
  | "awsElasticBlockStore"
  | "azureDisk"
  | "azureFile"
  | "cinder"
  | "gcePersistentDisk"
  | "photonPersistentDisk"
  | "vsphereVolume";

function cloudSources({ secret, azureFile }: InTreeSecretRefs): Readonly<Record<CloudSource, Optional<JsonObject>>> {
  const partition = int32("Number of the partition.");
  return {
    awsElasticBlockStore: inTreeVolumeSource("A disk of AWS.", {
      volumeID: requiredString("Its id."),
      fsType,
      partition,
      readOnly,
    }),
    azureDisk: inTreeVolumeSource("A disk of Azure.", {
      diskName: requiredString("Its name."),
      diskURI: requiredString("URI of the disk."),
      cachingMode: optionalEnum("Host caching mode.", "None", "ReadOnly", "ReadWrite"),
      fsType,
      kind: optionalEnum("Kind of storage account.", "Shared", "Dedicated", "Managed"),
      readOnly,
    }),
    azureFile: inTreeVolumeSource("A file share of Azure.", {
      secretName: requiredString("The secret with the account."),
      shareName: requiredString("Its name."),
      readOnly,
      ...azureFile,
    }),
    cinder: inTreeVolumeSource("A disk of OpenStack.", {
      volumeID: requiredString("Its id."),
      fsType,
      readOnly,
      secretRef: optional(secret, "Secret with the credentials."),
    }),
    gcePersistentDisk: inTreeVolumeSource("A disk of Google Cloud.", {
      pdName: requiredString("Its name."),
      fsType,
      partition,
      readOnly,
    }),
    photonPersistentDisk: inTreeVolumeSource("A disk of Photon.", { pdID: requiredString("Its id."), fsType }),
    vsphereVolume: inTreeVolumeSource("A disk of vSphere.", {
      volumePath: requiredString("Its path."),
      fsType,
      storagePolicyID: optionalString("Id of its policy."),
      storagePolicyName: optionalString("Name of its policy."),
    }),
  };
}

type NetworkSource = "cephfs" | "fc" | "glusterfs" | "iscsi" | "rbd";

function networkSources({
  secret,
  glusterfs,
}: InTreeSecretRefs): Readonly<Record<NetworkSource, Optional<JsonObject>>> {
  const monitors = s.array(s.string()).atomic().describe("Addresses of the monitors.");
  const secretRef = optional(secret, "Secret with the credentials.");
  return {
    cephfs: inTreeVolumeSource("A CephFS directory.", {
      monitors,
      path: optionalString("The directory."),
      readOnly,
      secretFile: optionalString("File with the key."),
      secretRef,
      user,
    }),
    fc: inTreeVolumeSource("A Fibre Channel disk.", {
      fsType,
      lun: int32("Number of the unit."),
      readOnly,
      targetWWNs: optionalStrings("Names of the targets."),
      wwids: optionalStrings("Names of the disk."),
    }),
    glusterfs: inTreeVolumeSource("A GlusterFS volume.", {
      endpoints: requiredString("The endpoints object with its servers."),
      path: requiredString("Its path."),
      readOnly,
      ...glusterfs,
    }),
    iscsi: inTreeVolumeSource("An iSCSI disk.", {
      targetPortal: requiredString("Address of the target."),
      iqn: requiredString("Name of the target."),
      lun: s.int32().describe("Number of the unit."),
      chapAuthDiscovery: optionalBoolean("Whether discovery needs a password."),
      chapAuthSession: optionalBoolean("Whether sessions need a password."),
      fsType,
      initiatorName: optionalString("Name of the initiator."),
      iscsiInterface: optionalString("The interface."),
      portals: optionalStrings("Further addresses."),
      readOnly,
      secretRef,
    }),
    rbd: inTreeVolumeSource("A Ceph block device.", {
      monitors,
      image: requiredString("Its name."),
      fsType,
      keyring: optionalString("File with the keys."),
      pool: optionalString("Pool of the volume."),
      readOnly,
      secretRef,
      user,
    }),
  };
}

type ApplianceSource = Exclude<InTreeVolumeSource, CloudSource | NetworkSource>;

function applianceSources({
  secret,
  storageos,
}: InTreeSecretRefs): Readonly<Record<ApplianceSource, Optional<JsonObject>>> {
  return {
    flexVolume: inTreeVolumeSource("A volume of a FlexVolume plugin.", {
      driver: requiredString("Name of the plugin."),
      fsType,
      options: optionalStringMap("Settings of the plugin."),
      readOnly,
      secretRef: optional(secret, "Secret with confidential options of the plugin."),
    }),
    flocker: inTreeVolumeSource("A Flocker data set.", {
      datasetName: optionalString("Its name."),
      datasetUUID: optionalString("Its id."),
    }),
    portworxVolume: inTreeVolumeSource("A Portworx volume.", { volumeID: requiredString("Its id."), fsType, readOnly }),
    quobyte: inTreeVolumeSource("A Quobyte volume.", {
      registry: requiredString("Addresses of the registry."),
      volume: requiredString("Its name."),
      group: optionalString("Group that owns it."),
      readOnly,
      tenant: optionalString("The tenant it belongs to."),
      user,
    }),
    scaleIO: inTreeVolumeSource("A ScaleIO volume.", {
      gateway: requiredString("Address of the gateway."),
      system: requiredString("Name of the system."),
      fsType,
      protectionDomain: optionalString("Its protection domain."),
      readOnly,
      secretRef: secret.describe("Secret with the credentials."),
      sslEnabled: optionalBoolean("Whether the gateway is reached over TLS."),
      storageMode: optionalString("Thick or thin."),
      storagePool: optionalString("Pool of the volume."),
      volumeName: optionalString("Its name."),
    }),
    storageos: inTreeVolumeSource("A StorageOS volume.", {
      fsType,
      readOnly,
      secretRef: optional(storageos, "Secret with the credentials."),
      volumeName: optionalString("Its name."),
      volumeNamespace: optionalString("The namespace it is in."),
    }),
  };
}
