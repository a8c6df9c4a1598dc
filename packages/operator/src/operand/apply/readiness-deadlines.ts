import { formatTimestamp } from "@levelset/core/internal";
import type { KubeObject, ObjectOf } from "@levelset/core";
import type { HealthRules } from "../spec/health-rules.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import type { ItemChange, ItemResult } from "./apply-outcome.ts";

type Status = NonNullable<ObjectOf<Operand>["status"]>;
type AwaitedObject = NonNullable<Status["awaited"]>[number];

/** Maximum number of objects with a recorded start. Further ones start when others are ready. */
const AWAITED_MAX = 100;

/**
 * Measures how long objects with a readiness timeout have been waited for: since they were last applied, or first seen
 * not ready if that was later. The status stores the start, so that a restart does not reset it.
 */
export class ReadinessDeadlines {
  readonly #known: ReadonlyMap<string, AwaitedObject>;
  readonly #now: number;

  /** Takes the status of the Operand, and the time in milliseconds since the epoch. */
  constructor(status: Pick<Status, "awaited"> | undefined, now: number) {
    this.#known = new Map((status?.awaited ?? []).map((one) => [liveRefId(one), one]));
    this.#now = now;
  }

  /** Returns the wait in milliseconds. `change` is what was just written to the object. */
  waitedMs(ref: LiveRef, object: KubeObject, change: ItemChange = "none"): number {
    return Math.max(0, this.#now - Date.parse(this.#since(ref, object, change)));
  }

  /** Returns the starts to store in the status after the set was applied; undefined if no object is waited for. */
  nextWaitingSince(items: readonly ItemResult[], health: Pick<HealthRules, "hasTimeout">): AwaitedObject[] | undefined {
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

  #since(ref: LiveRef, { metadata }: KubeObject, change: ItemChange): string {
    const known = this.#known.get(liveRefId(ref));
    const isSame = known?.uid === metadata.uid && known?.generation === metadata.generation;
    if (known !== undefined && isSame && (change === "none" || change === "drifted")) return known.since;
    // The next full second: an object gets at least its whole timeout.
    return formatTimestamp(this.#now + 999);
  }
}
