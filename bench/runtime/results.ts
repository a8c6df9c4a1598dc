import { median } from "../report.ts";
import type { Figure } from "../report.ts";

interface Measured {
  readonly unit: Figure["unit"];
  /** name → the values of all rounds. */
  readonly values: Map<string, number[]>;
}

/** What was measured so far, of everybody. */
export class Results {
  readonly #ours: string;
  readonly #measured = new Map<string, Measured>();

  constructor(ours: string) {
    this.#ours = ours;
  }

  add(what: string, unit: Figure["unit"], name: string, value: number): void {
    const { values } = this.#measured.get(what) ?? { values: new Map<string, number[]>() };
    this.#measured.set(what, { unit, values });
    values.set(name, [...(values.get(name) ?? []), value]);
  }

  /** Measures something. A failure of ours is a failure of the benchmark, one of a peer only costs its figure. */
  async attempt(name: string, measure: () => Promise<void>): Promise<void> {
    try {
      await measure();
    } catch (error) {
      if (name === this.#ours) throw error;
      console.warn(`bench: ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** The medians of all rounds: ours beside each peer's. */
  figures(): readonly Figure[] {
    return [...this.#measured].flatMap(([what, { unit, values }]) => {
      const ours = median(values.get(this.#ours) ?? []);
      const peers = [...values].filter(([name]) => name !== this.#ours);
      if (peers.length === 0) return [{ what, unit, ours }];
      return peers.map(([name, all]) => ({ what, unit, ours, peer: { name, value: median(all) } }));
    });
  }
}
