import { isAlreadyExists, kindId, PersistentVolume, PersistentVolumeClaim } from "@levelset/core";
import { parseQuantity, quantityToDouble } from "@levelset/core/schema";
import type { NewOf, ObjectOf } from "@levelset/core";
import type { BuiltinController } from "../controller.ts";
import type { RecordChange } from "../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import type { WorkloadContext } from "./workload-context.ts";

type Volume = ObjectOf<typeof PersistentVolume>;
type Claim = ObjectOf<typeof PersistentVolumeClaim>;

const PROVISIONER = "sim.levelset.dev/volumes";
const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

/** Binds claims to existing or simulated volumes. */
export class VolumeController implements BuiltinController {
  readonly name = "volume controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys({ key, current, previous }: RecordChange): Iterable<string> {
    if (key.resource === kindId(PersistentVolumeClaim)) {
      if (current !== undefined) yield formatStoreKey(key);
      const volume = previous?.object["spec"] as { readonly volumeName?: string } | undefined; // by its schema
      if (current === undefined && volume?.volumeName !== undefined) yield volumeKey(volume.volumeName);
    }
    if (key.resource !== kindId(PersistentVolume)) return;
    if (current !== undefined) yield formatStoreKey(key);
    for (const claim of this.#context.client.list(PersistentVolumeClaim)) {
      if (claim.status?.phase !== "Bound") yield claimKey(claim);
    }
  }

  async sync(key: string): Promise<undefined> {
    const { resource, namespace, name } = parseStoreKey(key);
    if (resource === kindId(PersistentVolume)) return this.#volume(name);
    const claim = this.#context.client.get(PersistentVolumeClaim, namespace, name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || claim.status?.phase === "Bound")
      return;
    const volume = this.#find(claim) ?? (await this.#provision(claim));
    if (volume !== undefined) await this.#bind(claim, volume);
  }

  /**
   * Updates the phase of a volume: Available, Bound, or Released after its claim is gone. Deletes released volumes with
   * reclaim policy Delete.
   */
  async #volume(name: string): Promise<undefined> {
    const { client } = this.#context;
    const volume = client.get(PersistentVolume, "", name);
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
      await client.delete(PersistentVolume, volume);
      return;
    }
    // A volume provisioned for a claim is about to be bound.
    if (phase === volume.status?.phase || (phase === "Available" && isMeant && claim !== undefined)) return;
    await client.updateStatus(PersistentVolume, volume, (old) => ({ ...old.status, phase }));
  }

  #claimOf({ spec }: Volume): Claim | undefined {
    const { namespace = "", name = "", uid } = spec?.claimRef ?? {};
    const claim = this.#context.client.get(PersistentVolumeClaim, namespace, name);
    return uid === undefined || claim?.metadata.uid === uid ? claim : undefined;
  }

  #find(claim: Claim): Volume | undefined {
    const { client } = this.#context;
    const { volumeName = "" } = claim.spec ?? {};
    if (volumeName !== "") return client.get(PersistentVolume, "", volumeName);
    const volumes = client.list(PersistentVolume).filter((volume) => volume.metadata.deletionTimestamp === undefined);
    const reserved = volumes.find(
      ({ spec }) =>
        spec?.claimRef?.name === claim.metadata.name && spec.claimRef.namespace === claim.metadata.namespace,
    );
    return reserved ?? volumes.find((volume) => isFree(volume) && holds(volume, claim));
  }

  async #provision(claim: Claim): Promise<Volume | undefined> {
    const { client } = this.#context;
    // An empty storage class requests an existing volume.
    if (claim.spec?.storageClassName === "" || (claim.spec?.volumeName ?? "") !== "") return undefined;
    const name = `pvc-${claim.metadata.uid}`;
    try {
      return await client.create(PersistentVolume, "", newVolume(name, claim));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return client.get(PersistentVolume, "", name);
    }
  }

  async #bind(claim: Claim, volume: Volume): Promise<void> {
    const { client } = this.#context;
    const { name } = volume.metadata;
    await client.update(PersistentVolume, volume, (old) => ({
      ...old,
      spec: { ...old.spec, claimRef: referenceTo(claim) },
    }));
    await client.privilegedUpdate(PersistentVolumeClaim, claim, (old) => ({
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
    await client.updateStatus(PersistentVolume, volume, (old) => ({ ...old.status, phase: "Bound" }));
  }
}

function isFree({ spec, status }: Volume): boolean {
  return (
    spec?.claimRef === undefined &&
    (status?.phase === "Available" || status?.phase === "Pending" || status?.phase === undefined)
  );
}

/** Whether class, access modes and capacity of a volume satisfy a claim. */
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
