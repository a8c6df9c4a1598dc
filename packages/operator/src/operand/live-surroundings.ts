import { isDeleting } from "@levelset/core";
import type { Clock, ObjectOf } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { liveObject } from "../apply/index.ts";
import { metadataOnly } from "../client/index.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { RELEASE_ANNOTATION } from "./marks.ts";
import { surroundingsOf, whenDue } from "./pruning.ts";
import type { Surroundings } from "./pruning.ts";

/** What is decided by, and whether it still holds. */
export interface View {
  readonly around: Surroundings;
  /**
   * Whether all that could save an object is still as it was when it was read, and these inventories, which are to get objects, are
   * still there to stay. Once it is not so, it never is again.
   */
  readonly isCurrent: (heirs?: readonly string[]) => Promise<boolean>;
}

/** Whose objects are to go, and with which inventories. */
export interface ViewOptions {
  /** The name of the Operand; absent if nothing says it any more. */
  readonly operand?: string | undefined;
  readonly operandUid: string;
  /** The uids of the inventories that go. */
  readonly going?: readonly string[];
  /** Whether the objects stay. An inventory that goes may say so too. */
  readonly isOrphaning?: boolean;
}

/** What a look takes. */
export interface ViewWorld extends Reach {
  readonly clock: Pick<Clock, "now">;
}

/** Generations and names are all that is asked for a second time. */
const OperandMeta = metadataOnly(Operand);
const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** What is known of the world when objects are to go, read past the cache: what is deleted by an old view is gone for good. */
export class LiveSurroundings implements View {
  readonly around: Surroundings;
  readonly #world: ViewWorld;
  readonly #name: string | undefined;
  /** The uids of the inventories that were there. What they list never changes. */
  readonly #known: ReadonlySet<string>;
  #isOutdated = false;

  private constructor(world: ViewWorld, name: string | undefined, known: ReadonlySet<string>, around: Surroundings) {
    this.#world = world;
    this.#name = name;
    this.#known = known;
    this.around = around;
  }

  /** Reads the Operand, and the inventories of all Operands. */
  static async read(world: ViewWorld, options: ViewOptions): Promise<LiveSurroundings> {
    const { operand: name, operandUid, going = [], isOrphaning = false } = options;
    const found = name === undefined ? undefined : await liveObject(world, Operand, { name });
    const { items } = await world.client.list(ClusterActiveOperand, { signal: world.signal });
    const around = surroundingsOf(items, {
      operand: found?.metadata.uid === operandUid ? found : undefined,
      operandUid,
      going: new Set(going),
      isOrphaning: isOrphaning || items.some((one) => going.includes(one.metadata.uid) && isReleased(one)),
      now: world.clock.now(),
    });
    return new LiveSurroundings(world, name, new Set(items.map(({ metadata }) => metadata.uid)), around);
  }

  /** The same for objects whose time has come: how long they had to stay no longer matters. */
  due(): View {
    return { around: whenDue(this.around, { isMarked: true }), isCurrent: (heirs) => this.isCurrent(heirs) };
  }

  /**
   * Whether the Operand is of the same generation, no inventory was added, and none of the heirs goes: asked right before objects are
   * deleted or given away, because a spec may ask for them again at any time, and whoever goes has looked at its objects already.
   */
  async isCurrent(heirs: readonly string[] = []): Promise<boolean> {
    if (this.#isOutdated) return false;
    const { client, signal } = this.#world;
    const [generation, { items }] = await Promise.all([this.#generation(), client.list(InventoryMeta, { signal })]);
    const isSame = generation === this.around.operand?.metadata.generation;
    const isAdded = items.some(({ metadata }) => !this.#known.has(metadata.uid));
    const staying = new Set(items.filter((one) => !isDeleting(one)).map(({ metadata }) => metadata.uid));
    this.#isOutdated = !isSame || isAdded || heirs.some((uid) => !staying.has(uid));
    return !this.#isOutdated;
  }

  async #generation(): Promise<number | undefined> {
    if (this.#name === undefined) return undefined;
    const found = await liveObject(this.#world, OperandMeta, { name: this.#name });
    return found?.metadata.uid === this.around.operandUid ? found.metadata.generation : undefined;
  }
}

function isReleased({ metadata }: ObjectOf<ClusterActiveOperand>): boolean {
  return metadata.annotations?.[RELEASE_ANNOTATION] === "orphan";
}
