import {
  isAlreadyExists,
  kindId,
  PersistentVolume,
  PersistentVolumeClaim,
  parseQuantity,
  quantityToDouble,
} from "@levelset/core";
import type { NewOf, ObjectOf } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import type { WorkloadWorld } from "./world.ts";

type Volume = ObjectOf<typeof PersistentVolume>;
type Claim = ObjectOf<typeof PersistentVolumeClaim>;

const PROVISIONER = "sim.levelset.dev/volumes";
const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

/** Gives claims a volume: one that is there and fits, or a simulated one. */
export class VolumeController implements Controller {
  readonly name = "volume controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected({ key, now, before }: Change): Iterable<string> {
    if (key.resource === kindId(PersistentVolumeClaim)) {
      if (now !== undefined) yield formatStoreKey(key);
      const volume = before?.object["spec"] as { readonly volumeName?: string } | undefined; // by its schema
      if (now === undefined && volume?.volumeName !== undefined) yield volumeKey(volume.volumeName);
    }
    if (key.resource !== kindId(PersistentVolume)) return;
    if (now !== undefined) yield formatStoreKey(key);
    for (const claim of this.#world.actor.list(PersistentVolumeClaim)) {
      if (claim.status?.phase !== "Bound") yield claimKey(claim);
    }
  }

  async sync(key: string): Promise<undefined> {
    const { resource, namespace, name } = parseStoreKey(key);
    if (resource === kindId(PersistentVolume)) return this.#volume(name);
    const claim = this.#world.actor.get(PersistentVolumeClaim, namespace, name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || claim.status?.phase === "Bound")
      return;
    const volume = this.#find(claim) ?? (await this.#provision(claim));
    if (volume !== undefined) await this.#bind(claim, volume);
  }

  /** A volume is available, bound, or released once its claim is gone; then it goes too, if it says so. */
  async #volume(name: string): Promise<undefined> {
    const { actor } = this.#world;
    const volume = actor.get(PersistentVolume, "", name);
    if (volume === undefined || volume.metadata.deletionTimestamp !== undefined) return;
    const claim = this.#claimOf(volume);
    const wasBound = volume.status?.phase === "Bound" || volume.status?.phase === "Released";
    const isMeant = volume.spec?.claimRef !== undefined;
    const phase =
      claim?.spec?.volumeName === name
        ? "Bound"
        : isMeant && wasBound && claim === undefined
          ? "Released"
          : "Available";
    if (phase === "Released" && volume.spec?.persistentVolumeReclaimPolicy === "Delete") {
      await actor.remove(PersistentVolume, volume);
      return;
    }
    // A volume that was just made for a claim is about to be bound.
    if (phase === volume.status?.phase || (phase === "Available" && isMeant && claim !== undefined)) return;
    await actor.changeStatus(PersistentVolume, volume, (old) => ({ ...old.status, phase }));
  }

  #claimOf({ spec }: Volume): Claim | undefined {
    const { namespace = "", name = "", uid } = spec?.claimRef ?? {};
    const claim = this.#world.actor.get(PersistentVolumeClaim, namespace, name);
    return uid === undefined || claim?.metadata.uid === uid ? claim : undefined;
  }

  #find(claim: Claim): Volume | undefined {
    const { actor } = this.#world;
    const { volumeName = "" } = claim.spec ?? {};
    if (volumeName !== "") return actor.get(PersistentVolume, "", volumeName);
    const volumes = actor.list(PersistentVolume).filter((volume) => volume.metadata.deletionTimestamp === undefined);
    const reserved = volumes.find(
      ({ spec }) =>
        spec?.claimRef?.name === claim.metadata.name && spec.claimRef.namespace === claim.metadata.namespace,
    );
    return reserved ?? volumes.find((volume) => isFree(volume) && holds(volume, claim));
  }

  async #provision(claim: Claim): Promise<Volume | undefined> {
    const { actor } = this.#world;
    // The empty class asks for a volume that is there already.
    if (claim.spec?.storageClassName === "" || (claim.spec?.volumeName ?? "") !== "") return undefined;
    const name = `pvc-${claim.metadata.uid}`;
    try {
      return await actor.create(PersistentVolume, "", newVolume(name, claim));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return actor.get(PersistentVolume, "", name);
    }
  }

  async #bind(claim: Claim, volume: Volume): Promise<void> {
    const { actor } = this.#world;
    const { name } = volume.metadata;
    await actor.change(PersistentVolume, volume, (old) => ({
      ...old,
      spec: { ...old.spec, claimRef: referenceTo(claim) },
    }));
    await actor.amend(PersistentVolumeClaim, claim, (old) => ({
      ...old,
      metadata: {
        ...old.metadata,
        annotations: {
          ...old.metadata.annotations,
          "pv.kubernetes.io/bind-completed": "yes",
          "pv.kubernetes.io/bound-by-controller": "yes",
        },
      },
      spec: { ...old.spec, volumeName: name },
      status: { ...old.status, phase: "Bound", accessModes: old.spec?.accessModes, capacity: volume.spec?.capacity },
    }));
    await actor.changeStatus(PersistentVolume, volume, (old) => ({ ...old.status, phase: "Bound" }));
  }
}

function isFree({ spec, status }: Volume): boolean {
  return (
    spec?.claimRef === undefined &&
    (status?.phase === "Available" || status?.phase === "Pending" || status?.phase === undefined)
  );
}

/** Whether a volume is of the class, of the modes and large enough for a claim. */
function holds({ spec }: Volume, claim: Claim): boolean {
  const { storageClassName = "", accessModes = [], resources } = claim.spec ?? {};
  const modes: readonly string[] = spec?.accessModes ?? [];
  return (
    (spec?.storageClassName ?? "") === storageClassName &&
    accessModes.every((mode) => modes.includes(mode)) &&
    sizeOf(spec?.capacity) >= sizeOf(resources?.requests)
  );
}

function sizeOf(quantities: Readonly<Record<string, unknown>> | undefined): number {
  const storage = quantities?.["storage"];
  return typeof storage === "string" || typeof storage === "number"
    ? quantityToDouble(parseQuantity(String(storage)))
    : 0;
}

function newVolume(name: string, claim: Claim): NewOf<typeof PersistentVolume> {
  const { accessModes, resources, storageClassName, volumeMode } = claim.spec ?? {};
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      ...(accessModes === undefined ? {} : { accessModes }),
      capacity: { storage: resources?.requests?.["storage"] ?? "1Gi" },
      claimRef: referenceTo(claim),
      hostPath: { path: `/simulated/${name}`, type: "DirectoryOrCreate" },
      persistentVolumeReclaimPolicy: "Delete",
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}

function referenceTo({ apiVersion, kind, metadata }: Claim): Readonly<Record<string, string>> {
  const { name, namespace = "", uid } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}

function claimKey({ metadata }: Claim): string {
  return formatStoreKey({
    resource: kindId(PersistentVolumeClaim),
    namespace: metadata.namespace ?? "",
    name: metadata.name,
  });
}

function volumeKey(name: string): string {
  return formatStoreKey({ resource: kindId(PersistentVolume), namespace: "", name });
}
