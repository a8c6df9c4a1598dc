/**
 * Remembers the last generation for which work was started, by resource ID. Bounded; evicts the least recently
 * started.
 */
export class StartedWork {
  readonly #max: number;
  readonly #generations = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  has(id: string, generation: number): boolean {
    return this.#generations.get(id) === generation;
  }

  set(id: string, generation: number): void {
    this.#generations.delete(id);
    this.#generations.set(id, generation);
    const [oldest] = this.#generations.keys();
    if (this.#generations.size > this.#max && oldest !== undefined) this.#generations.delete(oldest);
  }
}
