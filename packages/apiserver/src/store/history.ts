import type { StoredRecord, StoreEvent, StoreScope, WatchScope } from "./contract.ts";

/** Whether an event is about an object of the scope. */
export function isInScope(event: StoreEvent, scope: WatchScope): boolean {
  const { resource, namespace } = event.record.key;
  return (scope.resource ?? resource) === resource && (scope.namespace ?? namespace) === namespace;
}

/** The latest `max` events of a store, in revision order. */
export class History {
  readonly #max: number;
  /** Revision of the newest event that was dropped, or of the empty store. */
  #compacted: number;
  #events: StoreEvent[] = [];
  /** Events before this index are dropped already; they are cut off in batches. */
  #start = 0;

  constructor(options: { readonly max: number; readonly revision: number }) {
    this.#max = options.max;
    this.#compacted = options.revision;
  }

  /** The oldest revision whose successors are all kept. */
  get oldest(): number {
    return this.#compacted;
  }

  add(event: StoreEvent): void {
    this.#events.push(event);
    if (this.#events.length - this.#start <= this.#max) return;
    this.#compacted = this.#events[this.#start]?.revision ?? this.#compacted;
    this.#start++;
    if (this.#start > this.#max) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The kept events after `revision`, oldest first. */
  after(revision: number): readonly StoreEvent[] {
    // Revisions grow by one per event, so the position is a subtraction.
    const skip = Math.max(0, revision - this.#compacted);
    return this.#events.slice(this.#start + skip);
  }

  /** Undoes the events of a scope after `revision` on a map of its objects by `namespace/name`. */
  rewind(objects: Map<string, StoredRecord>, scope: StoreScope, revision: number): void {
    for (const event of this.after(revision).toReversed()) {
      if (!isInScope(event, scope)) continue;
      const id = `${event.record.key.namespace}/${event.record.key.name}`;
      if (event.kind === "created") objects.delete(id);
      else objects.set(id, event.previous);
    }
  }
}
