import { isDeleting } from "@levelset/core";
import type { Clock, KubeObject, ObjectOf } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { ClientContext } from "../../apply/index.ts";
import { liveObject } from "../../apply/index.ts";
import { metadataOnly } from "../../client/index.ts";
import { unrecordedRefs } from "../inventory/inventory.ts";
import type { Inventory } from "../inventory/inventory.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { FOREGROUND_FINALIZER, RELEASE_ANNOTATION } from "../spec/labels-and-annotations.ts";
import { buildPruneContext, withoutDelay } from "./prune-decision.ts";
import type { PruneContext } from "./prune-decision.ts";

/** The state that prune decisions are based on, and a check that it is still current. */
export interface PruneView {
  readonly ctx: PruneContext;
  /**
   * Reports whether the Operand and the inventories are unchanged since they were read, and the inventories `newOwners`
   * still exist. Once false, it stays false.
   */
  readonly isCurrent: (newOwners?: readonly string[]) => Promise<boolean>;
}

/** Options of {@link LivePruneContext.read}. */
export interface PruneViewOptions {
  /** Name of the Operand; absent if it is unknown. */
  readonly operand?: string | undefined;
  readonly operandUid: string;
  /** Uids of the inventories that are being removed. */
  readonly removing?: readonly string[];
  /** True if the objects stay. An inventory that is being removed may request that too. */
  readonly isOrphaning?: boolean;
}

/** Dependencies of {@link LivePruneContext}. */
export interface PruneWorld extends ClientContext {
  readonly clock: Pick<Clock, "now">;
}

/** The second read needs generations and names only. */
const OperandMeta = metadataOnly(Operand);
const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** Prune context that is read from the server, not from the cache: a deletion based on stale state cannot be undone. */
export class LivePruneContext implements PruneView {
  readonly ctx: PruneContext;
  readonly #world: PruneWorld;
  readonly #name: string | undefined;
  /** The inventories that existed. Their lists are immutable. */
  readonly #inventories: readonly Inventory[];
  readonly #known: ReadonlySet<string>;
  #isOutdated = false;

  private constructor(
    world: PruneWorld,
    name: string | undefined,
    inventories: readonly Inventory[],
    ctx: PruneContext,
  ) {
    this.#world = world;
    this.#name = name;
    this.#inventories = inventories;
    this.#known = new Set(inventories.map(({ metadata }) => metadata.uid));
    this.ctx = ctx;
  }

  /** Reads the Operand and the inventories of all Operands. */
  static async read(world: PruneWorld, options: PruneViewOptions): Promise<LivePruneContext> {
    const { operand: name, operandUid, removing = [], isOrphaning = false } = options;
    const found = name === undefined ? undefined : await liveObject(world, Operand, { name });
    const { items } = await world.client.list(ClusterActiveOperand, { signal: world.signal });
    const operand = found?.metadata.uid === operandUid ? found : undefined;
    const removed = items.filter(({ metadata }) => removing.includes(metadata.uid));
    const ctx = buildPruneContext(items, {
      operand,
      operandUid,
      removing: new Set(removing),
      isOrphaning: isOrphaning || removed.some((one) => releaseOf(one) === "orphan"),
      propagation: isForeground(operand, removed) ? "Foreground" : "Background",
      now: world.clock.now(),
    });
    return new LivePruneContext(world, name, items, ctx);
  }

  /** Reports whether the Operand has to record objects of an inventory first: see `recordDeleted`. */
  isUnrecorded(inventory: Inventory): boolean {
    const { operand, operandUid } = this.ctx;
    if (operand === undefined || isDeleting(operand)) return false;
    const listed = this.#inventories.filter((one) => !isDeleting(one) && controllingOwnerUid(one) === operandUid);
    const refs = listed.flatMap(({ spec }) => spec.live);
    return unrecordedRefs(inventory, refs, operand.status?.pending ?? []).length > 0;
  }

  /** Returns the context for objects whose prune time has come: delays no longer apply. */
  due(): PruneView {
    return { ctx: withoutDelay(this.ctx, { isMarked: true }), isCurrent: (newOwners) => this.isCurrent(newOwners) };
  }

  /**
   * Reports whether the Operand has the same generation, no inventory was added, and none of the new owners is being
   * removed. Must be called right before objects are deleted or handed over, because a new spec may need them, and an
   * inventory that is being removed has already processed its objects.
   */
  async isCurrent(newOwners: readonly string[] = []): Promise<boolean> {
    if (this.#isOutdated) return false;
    const { client, signal } = this.#world;
    const [generation, { items }] = await Promise.all([this.#generation(), client.list(InventoryMeta, { signal })]);
    const isSame = generation === this.ctx.operand?.metadata.generation;
    const isAdded = items.some(({ metadata }) => !this.#known.has(metadata.uid));
    const staying = new Set(items.filter((one) => !isDeleting(one)).map(({ metadata }) => metadata.uid));
    this.#isOutdated = !isSame || isAdded || newOwners.some((uid) => !staying.has(uid));
    return !this.#isOutdated;
  }

  async #generation(): Promise<number | undefined> {
    if (this.#name === undefined) return undefined;
    const found = await liveObject(this.#world, OperandMeta, { name: this.#name });
    return found?.metadata.uid === this.ctx.operandUid ? found.metadata.generation : undefined;
  }
}

function releaseOf({ metadata }: Inventory): string | undefined {
  return metadata.annotations?.[RELEASE_ANNOTATION];
}

/**
 * Reports whether an Operand is deleted with foreground propagation. The inventories record that too, because the
 * garbage collector may remove the finalizer before they are gone, if it suspects a cycle of owners.
 */
function isForeground(operand: ObjectOf<Operand> | undefined, removed: readonly Inventory[]): boolean {
  const isRequested = operand !== undefined && isDeletedInForeground(operand);
  return isRequested || removed.some((one) => releaseOf(one) === "foreground");
}

/** Reports whether an object is deleted with foreground propagation. */
export function isDeletedInForeground(object: KubeObject): boolean {
  return isDeleting(object) && object.metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
}
