import type { JsonObject } from "../json/index.ts";
import { Schema } from "../schema/index.ts";
import type { AnySchema } from "../schema/index.ts";
import { choice, flag, given, int32, optional, s, text, textMap, texts } from "./field.ts";
import type { Optional } from "./field.ts";

/** What drivers have replaced. */
export type OldSource =
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

/** A source of storage. Servers check its fields; in TypeScript it is any object, since nobody should write new ones. */
export function oldSource(description: string, fields: Readonly<Record<string, AnySchema>>): Optional<JsonObject> {
  return new Schema({ ...s.object(fields).structural, description }, "optional");
}

const fsType = text("File system to mount.");
const readOnly = flag("Whether it cannot be written.");
const user = text("Who to log in as.");

/** The places of secrets differ between pods, which have a namespace, and volumes, which have none. */
export interface OldSourceSecrets {
  readonly secret: Schema<unknown, unknown>;
  /** The same for StorageOS. */
  readonly storageos: Schema<unknown, unknown>;
  /** Further fields of Azure files and GlusterFS. */
  readonly azureFile: Readonly<Record<string, AnySchema>>;
  readonly glusterfs: Readonly<Record<string, AnySchema>>;
}

/** The sources of storage that drivers have replaced. */
export function oldSources(place: OldSourceSecrets): Readonly<Record<OldSource, Optional<JsonObject>>> {
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

function cloudSources({ secret, azureFile }: OldSourceSecrets): Readonly<Record<CloudSource, Optional<JsonObject>>> {
  const partition = int32("Number of the partition.");
  return {
    awsElasticBlockStore: oldSource("A disk of AWS.", { volumeID: given("Its id."), fsType, partition, readOnly }),
    azureDisk: oldSource("A disk of Azure.", {
      diskName: given("Its name."),
      diskURI: given("Where it is."),
      cachingMode: choice("What the node caches.", "None", "ReadOnly", "ReadWrite"),
      fsType,
      kind: choice("How it is kept.", "Shared", "Dedicated", "Managed"),
      readOnly,
    }),
    azureFile: oldSource("A file share of Azure.", {
      secretName: given("The secret with the account."),
      shareName: given("Its name."),
      readOnly,
      ...azureFile,
    }),
    cinder: oldSource("A disk of OpenStack.", {
      volumeID: given("Its id."),
      fsType,
      readOnly,
      secretRef: optional(secret, "How to log in."),
    }),
    gcePersistentDisk: oldSource("A disk of Google Cloud.", {
      pdName: given("Its name."),
      fsType,
      partition,
      readOnly,
    }),
    photonPersistentDisk: oldSource("A disk of Photon.", { pdID: given("Its id."), fsType }),
    vsphereVolume: oldSource("A disk of vSphere.", {
      volumePath: given("Its path."),
      fsType,
      storagePolicyID: text("Id of its policy."),
      storagePolicyName: text("Name of its policy."),
    }),
  };
}

type NetworkSource = "cephfs" | "fc" | "glusterfs" | "iscsi" | "rbd";

function networkSources({
  secret,
  glusterfs,
}: OldSourceSecrets): Readonly<Record<NetworkSource, Optional<JsonObject>>> {
  const monitors = s.array(s.string()).atomic().describe("Addresses of the monitors.");
  const secretRef = optional(secret, "How to log in.");
  return {
    cephfs: oldSource("A CephFS directory.", {
      monitors,
      path: text("The directory."),
      readOnly,
      secretFile: text("File with the key."),
      secretRef,
      user,
    }),
    fc: oldSource("A Fibre Channel disk.", {
      fsType,
      lun: int32("Number of the unit."),
      readOnly,
      targetWWNs: texts("Names of the targets."),
      wwids: texts("Names of the disk."),
    }),
    glusterfs: oldSource("A GlusterFS volume.", {
      endpoints: given("The endpoints object with its servers."),
      path: given("Its path."),
      readOnly,
      ...glusterfs,
    }),
    iscsi: oldSource("An iSCSI disk.", {
      targetPortal: given("Address of the target."),
      iqn: given("Name of the target."),
      lun: s.int32().describe("Number of the unit."),
      chapAuthDiscovery: flag("Whether discovery needs a password."),
      chapAuthSession: flag("Whether sessions need a password."),
      fsType,
      initiatorName: text("Name of the initiator."),
      iscsiInterface: text("The interface."),
      portals: texts("Further addresses."),
      readOnly,
      secretRef,
    }),
    rbd: oldSource("A Ceph block device.", {
      monitors,
      image: given("Its name."),
      fsType,
      keyring: text("File with the keys."),
      pool: text("The pool it is in."),
      readOnly,
      secretRef,
      user,
    }),
  };
}

type ApplianceSource = Exclude<OldSource, CloudSource | NetworkSource>;

function applianceSources({
  secret,
  storageos,
}: OldSourceSecrets): Readonly<Record<ApplianceSource, Optional<JsonObject>>> {
  return {
    flexVolume: oldSource("A volume of a FlexVolume plugin.", {
      driver: given("Name of the plugin."),
      fsType,
      options: textMap("Settings of the plugin."),
      readOnly,
      secretRef: optional(secret, "What the plugin needs to know in confidence."),
    }),
    flocker: oldSource("A Flocker data set.", { datasetName: text("Its name."), datasetUUID: text("Its id.") }),
    portworxVolume: oldSource("A Portworx volume.", { volumeID: given("Its id."), fsType, readOnly }),
    quobyte: oldSource("A Quobyte volume.", {
      registry: given("Addresses of the registry."),
      volume: given("Its name."),
      group: text("Group that owns it."),
      readOnly,
      tenant: text("The tenant it belongs to."),
      user,
    }),
    scaleIO: oldSource("A ScaleIO volume.", {
      gateway: given("Address of the gateway."),
      system: given("Name of the system."),
      fsType,
      protectionDomain: text("Its protection domain."),
      readOnly,
      secretRef: secret.describe("How to log in."),
      sslEnabled: flag("Whether the gateway is reached over TLS."),
      storageMode: text("Thick or thin."),
      storagePool: text("The pool it is in."),
      volumeName: text("Its name."),
    }),
    storageos: oldSource("A StorageOS volume.", {
      fsType,
      readOnly,
      secretRef: optional(storageos, "How to log in."),
      volumeName: text("Its name."),
      volumeNamespace: text("The namespace it is in."),
    }),
  };
}
