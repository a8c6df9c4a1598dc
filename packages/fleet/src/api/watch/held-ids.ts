/** How many ids are remembered for one watcher. */
const IDS_MAX = 200_000;

/**
 * What a watcher holds, as far as we know: it must be told of what it holds that it no longer matches, and need not hear of anything else.
 * One that began with a list holds what was sent to it. One that resumed may hold anything but what it was told to be gone. When that is too much to
 * remember, it may hold anything again, and hears more than it needs to.
 */
export class HeldIds {
  #mayHoldAny: boolean;
  /** Those for which the contrary is known. */
  #others = new Set<string>();
  readonly #max: number;

  constructor(options: { readonly mayHoldAny: boolean; readonly max?: number }) {
    this.#mayHoldAny = options.mayHoldAny;
    this.#max = options.max ?? IDS_MAX;
  }

  /** Whether the watcher may hold it. */
  has(id: string): boolean {
    return this.#others.has(id) !== this.#mayHoldAny;
  }

  /** It was sent to the watcher; or the watcher was told that it is gone. */
  set(id: string, isHeld: boolean): void {
    if (isHeld === this.#mayHoldAny) this.#others.delete(id);
    else this.#others.add(id);
    if (this.#others.size <= this.#max) return;
    this.#mayHoldAny = true;
    this.#others = new Set();
  }
}
