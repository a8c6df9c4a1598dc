import type { Pulse } from "./pulse.ts";

/**
 * The last pulse of each resource, the newest generation of them: what a change in a cluster is answered with, for it brings no pulse of its own. Only as
 * many as fit; one that is not remembered is pulsed again by the Sentinel sooner or later.
 */
export class LatestPulses {
  readonly #pulses = new Map<string, Pulse>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Keeps a pulse, and gives the newest one of its resource: an old message that comes late does not turn back time. */
  keep(pulse: Pulse): Pulse {
    const known = this.#pulses.get(pulse.id);
    const latest = known !== undefined && known.generation > pulse.generation ? known : pulse;
    this.#pulses.delete(pulse.id);
    this.#pulses.set(pulse.id, latest);
    if (this.#pulses.size > this.#max) {
      const [oldest] = this.#pulses.keys();
      if (oldest !== undefined) this.#pulses.delete(oldest);
    }
    return latest;
  }

  get(id: string): Pulse | undefined {
    return this.#pulses.get(id);
  }
}
