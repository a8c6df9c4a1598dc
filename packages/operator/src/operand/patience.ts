import { timestamp } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import type { Health } from "./health.ts";
import type { Operand } from "./kinds.ts";
import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import type { Change, JudgedItem } from "./outcome.ts";

type Status = NonNullable<ObjectOf<Operand>["status"]>;
type AwaitedObject = NonNullable<Status["awaited"]>[number];

/** How many objects a status remembers the time of. For more, it begins when others are ready. */
const AWAITED_MAX = 100;

/**
 * For how long objects have been waited for that may be on their way only for a time: each since it was last applied, or since it was
 * first seen not ready if that came later. The status remembers it, so that a new process does not begin anew.
 */
export class Patience {
  readonly #known: ReadonlyMap<string, AwaitedObject>;
  readonly #now: number;

  /** With the status of the Operand, and the time in milliseconds since the epoch. */
  constructor(status: Pick<Status, "awaited"> | undefined, now: number) {
    this.#known = new Map((status?.awaited ?? []).map((one) => [refId(one), one]));
    this.#now = now;
  }

  /** In milliseconds. `change` is what was just written of the object. */
  waitedMs(ref: LiveRef, object: KubeObject, change: Change = "none"): number {
    return Math.max(0, this.#now - Date.parse(this.#since(ref, object, change)));
  }

  /** What the status is to remember after a pass over the set; undefined when nothing is waited for. */
  after(items: readonly JudgedItem[], health: Pick<Health, "hasTimeout">): AwaitedObject[] | undefined {
    const awaited = items.flatMap(({ item: { ref }, outcome, readiness }): readonly AwaitedObject[] => {
      if (outcome.kind !== "applied" || outcome.object === undefined || readiness.kind === "ready") return [];
      const { object, change } = outcome;
      if (!health.hasTimeout(object)) return [];
      const { uid, generation } = object.metadata;
      const version = generation === undefined ? { uid } : { uid, generation };
      return [{ ...ref, ...version, since: this.#since(ref, object, change) }];
    });
    return awaited.length === 0 ? undefined : awaited.slice(0, AWAITED_MAX);
  }

  #since(ref: LiveRef, { metadata }: KubeObject, change: Change): string {
    const known = this.#known.get(refId(ref));
    const isSame = known?.uid === metadata.uid && known?.generation === metadata.generation;
    if (known !== undefined && isSame && (change === "none" || change === "drifted")) return known.since;
    // The next full second: an object has at least the time that it was given.
    return timestamp(this.#now + 999);
  }
}
