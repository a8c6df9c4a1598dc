import type { StoredRecord, StoreEvent, StoreKey, WriteResult } from "../store.ts";
import { decideWrite } from "../write.ts";
import type { StoreWrite } from "../write.ts";

/** A queued write and the callbacks that settle its promise. */
export interface QueuedWrite {
  readonly write: StoreWrite;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Limits of one transaction, so that a large queue does not block the event loop. */
const BATCH_WRITES = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/** The decided writes at the head of the queue, to be stored in one transaction. */
export interface Batch {
  /** Number of writes. */
  readonly size: number;
  readonly events: readonly StoreEvent[];
  /** Settles the promises of all writes. Must be called only after the events are stored and visible to readers. */
  readonly complete: () => void;
}

/** The current state that writes are decided against. */
interface Present {
  readonly revision: number;
  get(key: StoreKey): StoredRecord | undefined;
}

/** Decides queued writes in order, each against the result of the previous ones, up to the limits of a batch. */
export function decideBatch(present: Present, pending: readonly QueuedWrite[]): Batch {
  const events: StoreEvent[] = [];
  const settlements: (() => void)[] = [];
  const changed = new Map<string, StoredRecord | undefined>();
  let bytes = 0;
  for (const { write, resolve, reject } of pending) {
    if (settlements.length === BATCH_WRITES || bytes > BATCH_BYTES) break;
    const { resource, namespace, name } = write.key;
    const id = `${resource}/${namespace}/${name}`;
    const current = changed.has(id) ? changed.get(id) : present.get(write.key);
    try {
      const decision = decideWrite(write, current, present.revision + events.length + 1);
      if (decision.kind === "conflict") {
        settlements.push(() => resolve(decision));
        continue;
      }
      const { event } = decision;
      events.push(event);
      bytes += event.record.json.length;
      changed.set(id, event.kind === "deleted" ? undefined : event.record);
      settlements.push(() => resolve({ kind: "written", record: event.record }));
    } catch (error) {
      // The object cannot be encoded as JSON. Only this write fails.
      settlements.push(() => reject(error));
    }
  }
  return {
    size: settlements.length,
    events,
    complete: () => {
      for (const settlement of settlements) settlement();
    },
  };
}
