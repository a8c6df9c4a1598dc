import { median } from "../report.ts";
import type { Measurement } from "../report.ts";

interface Measured {
  readonly unit: Measurement["unit"];
  /** name → the values of all rounds. */
  readonly values: Map<string, number[]>;
}

/** Measurements so far, of all programs. */
export class Results {
  readonly #ours: string;
  readonly #measured = new Map<string, Measured>();

  constructor(ours: string) {
    this.#ours = ours;
  }

  add(what: string, unit: Measurement["unit"], name: string, value: number): void {
    const { values } = this.#measured.get(what) ?? { values: new Map<string, number[]>() };
    this.#measured.set(what, { unit, values });
    values.set(name, [...(values.get(name) ?? []), value]);
  }

  /** Runs a measurement. A failure of this project fails the benchmark; a failure of a peer only omits its value. */
  async attempt(name: string, measure: () => Promise<void>): Promise<void> {
    try {
      await measure();
    } catch (error) {
      if (name === this.#ours) throw error;
      console.warn(`bench: ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Returns the medians of all rounds, compared with each peer. */
  figures(): readonly Measurement[] {
    return [...this.#measured].flatMap(([what, { unit, values }]) => {
      const ours = median(values.get(this.#ours) ?? []);
      const peers = [...values].filter(([name]) => name !== this.#ours);
      if (peers.length === 0) return [{ what, unit, ours }];
      return peers.map(([name, all]) => ({ what, unit, ours, peer: { name, value: median(all) } }));
    });
  }
}
