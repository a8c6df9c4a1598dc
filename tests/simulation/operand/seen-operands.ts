import { controllerOf, isDeleting } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { ObservedWrite } from "@levelset/simulation";

const GROUP = "operand.levelset.dev";
const PART = /^operand\.levelset\.dev\/(?<uid>[0-9a-f]{8}-.*)$/u;
/** Value of the label on an object that an Operand took over and has not applied yet. */
const INHERITED = "inherited";

export type SeenOperand = ObjectOf<Operand>;
export type SeenInventory = ObjectOf<ClusterActiveOperand>;

/** The Operands, inventories and other objects of a world, as its writes leave them. */
export class SeenOperands {
  readonly operands = new Map<string, SeenOperand>();
  readonly inventories = new Map<string, SeenInventory>();
  readonly objects = new Map<string, KubeObject>();

  /** Takes a write, and returns the object before it; undefined if it was created. */
  take({ kind, object }: ObservedWrite): KubeObject | undefined {
    const { uid } = object.metadata;
    const group = object.apiVersion.startsWith(`${GROUP}/`);
    const store: Map<string, KubeObject> =
      group && object.kind === Operand.kind
        ? this.operands
        : group && object.kind === ClusterActiveOperand.kind
          ? this.inventories
          : this.objects;
    const before = store.get(uid);
    if (kind === "deleted") store.delete(uid);
    else store.set(uid, object);
    return before;
  }

  /** Returns the inventories of an Operand, with those that are being removed. */
  inventoriesOf(operandUid: string): readonly SeenInventory[] {
    return [...this.inventories.values()].filter((inventory) => controllerOf(inventory)?.uid === operandUid);
  }

  /** Returns the inventory of that name if it belongs to the Operand. */
  inventoryOf({ metadata: { uid } }: SeenOperand, name: string | undefined): SeenInventory | undefined {
    return this.inventoriesOf(uid).find(({ metadata }) => metadata.name === name);
  }
}

/** Reports whether a write begins the deletion of an object, or deletes it at once. */
export function startsDeletion({ kind, object }: ObservedWrite, before: KubeObject | undefined): boolean {
  const wasDeleting = before !== undefined && isDeleting(before);
  return !wasDeleting && (kind === "deleted" || isDeleting(object));
}

/** Reports whether an inventory lists an object. */
export function lists({ spec }: SeenInventory, object: KubeObject): boolean {
  return spec.live.some((ref) => isRefTo(ref, object));
}

/** Reports whether a reference names an object. */
export function isRefTo(
  ref: { readonly group?: string; readonly kind?: string; readonly namespace?: string; readonly name?: string },
  { apiVersion, kind, metadata: { namespace, name } }: KubeObject,
): boolean {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return (ref.group ?? "") === group && ref.kind === kind && ref.name === name && ref.namespace === namespace;
}

/** Returns the uids of the Operands that have applied an object or took it over. Another client may copy their labels. */
export function operandsOf({ metadata: { labels = {}, managedFields = [] } }: KubeObject): readonly string[] {
  return Object.entries(labels).flatMap(([label, value]) => {
    const uid = PART.exec(label)?.groups?.["uid"];
    const isApplied = managedFields.some(({ manager }) => manager === `${GROUP}/${uid}`);
    return uid !== undefined && (isApplied || value === INHERITED) ? [uid] : [];
  });
}

/** Describes an object: `ConfigMap a`. */
export function describeObject({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
