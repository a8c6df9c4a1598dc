import { LruCache } from "@levelset/core/internal";
import type { Pulse } from "./pulse.ts";

/**
 * Remembers the last pulse of the newest generation per resource. A change in a cluster is handled with it, since the
 * change carries no pulse. Bounded; the Sentinel pulses forgotten resources again later.
 */
export class LatestPulses {
  readonly #pulses: LruCache<string, Pulse>;

  constructor(max: number) {
    this.#pulses = new LruCache(max);
  }

  /**
   * Stores a pulse and returns the newest one of its resource. A late message of an older generation does not replace
   * a newer one.
   */
  update(pulse: Pulse): Pulse {
    const known = this.#pulses.get(pulse.id);
    const latest = known !== undefined && known.generation > pulse.generation ? known : pulse;
    this.#pulses.set(pulse.id, latest);
    return latest;
  }

  get(id: string): Pulse | undefined {
    return this.#pulses.get(id);
  }
}
