/** The maximum number of IDs per watcher. */
const IDS_MAX = 200_000;

/**
 * The IDs that a client may have. A client must be notified when a resource that it has no longer matches; other
 * non-matching resources are irrelevant. A client that started with a list has what was sent. A client that resumed may
 * have anything except what it was notified as gone. Beyond the limit, it may have anything again and receives
 * redundant events.
 */
export class ClientIds {
  #mayHoldAny: boolean;
  /** IDs that differ from the default: those the client has, or is known not to have. */
  #others = new Set<string>();
  readonly #max: number;

  constructor(options: { readonly mayHoldAny: boolean; readonly max?: number }) {
    this.#mayHoldAny = options.mayHoldAny;
    this.#max = options.max ?? IDS_MAX;
  }

  /** Returns true if the client may have the resource. */
  has(id: string): boolean {
    return this.#others.has(id) !== this.#mayHoldAny;
  }

  /** Records that a resource was sent to the client, or that the client was notified of its removal. */
  set(id: string, isHeld: boolean): void {
    if (isHeld === this.#mayHoldAny) this.#others.delete(id);
    else this.#others.add(id);
    if (this.#others.size <= this.#max) return;
    this.#mayHoldAny = true;
    this.#others = new Set();
  }
}
