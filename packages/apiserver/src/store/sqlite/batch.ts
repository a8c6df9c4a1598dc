import type { StoredRecord, StoreEvent, StoreKey, WriteResult } from "../contract.ts";
import { decide } from "../write.ts";
import type { Write } from "../write.ts";

/** A write that waits for its turn, and whoever waits for it. */
export interface PendingWrite {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The most that goes into one transaction, so that other work gets its turn. */
const BATCH_WRITES = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/** What the first of the waiting writes come to, if they are stored as a whole. */
export interface Batch {
  /** How many writes these are. */
  readonly size: number;
  readonly events: readonly StoreEvent[];
  /** Tells everybody who waits how it ended. Only once the events are stored and visible. */
  readonly settle: () => void;
}

/** What writes are decided on. */
interface Present {
  readonly revision: number;
  get(key: StoreKey): StoredRecord | undefined;
}

/** Decides writes in their order, each on what those before it will have left behind; as many as fit into a batch. */
export function decideBatch(present: Present, pending: readonly PendingWrite[]): Batch {
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
      const decision = decide(write, current, present.revision + events.length + 1);
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
      // An object that has no JSON: its writer's mistake, and nobody else's.
      settlements.push(() => reject(error));
    }
  }
  return {
    size: settlements.length,
    events,
    settle: () => {
      for (const settlement of settlements) settlement();
    },
  };
}
