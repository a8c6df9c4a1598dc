import type { StoreEvent, WatchScope } from "./store.ts";
import { EventLog } from "./event-log.ts";

/** Returns whether the event's object is in the scope. */
export function isInScope(event: StoreEvent, scope: WatchScope): boolean {
  const { resource, namespace } = event.record.key;
  return (scope.resource ?? resource) === resource && (scope.namespace ?? namespace) === namespace;
}

/** Limits of {@link EventHistory}. */
export interface HistoryLimits {
  readonly historyMax: number;
  readonly historyMaxBytes: number;
}

/**
 * The latest events of a store in revision order. Drops the oldest events when the count or the bytes exceed the
 * limits.
 */
export class EventHistory {
  readonly #limits: HistoryLimits;
  /** Revision of the newest dropped event; initially the revision of the store before the first event. */
  #oldest: number;
  #bytes = 0;
  #all = new EventLog();
  /** resource → its events. */
  #byResource = new Map<string, EventLog>();

  constructor(limits: HistoryLimits, oldest: number) {
    this.#limits = limits;
    this.#oldest = oldest;
  }

  /** The oldest revision from which all later events are still available. */
  get oldest(): number {
    return this.#oldest;
  }

  add(event: StoreEvent): void {
    const { resource } = event.record.key;
    const log = this.#byResource.get(resource) ?? new EventLog();
    this.#byResource.set(resource, log);
    log.add(event);
    this.#all.add(event);
    this.#bytes += bytesHeldBy(event);
    while (this.#all.size > this.#limits.historyMax || this.#bytes > this.#limits.historyMaxBytes) this.#dropOldest();
  }

  /** Returns the available events after `revision`, oldest first, optionally of one resource only. */
  after(revision: number, resource?: string): readonly StoreEvent[] {
    const log = resource === undefined ? this.#all : this.#byResource.get(resource);
    return log?.after(revision) ?? [];
  }

  /** Returns an independent copy. Event arrays are shared until one of the two changes (copy-on-write). */
  copy(): EventHistory {
    const copy = new EventHistory(this.#limits, this.#oldest);
    copy.#bytes = this.#bytes;
    copy.#all = this.#all.copy();
    copy.#byResource = new Map([...this.#byResource].map(([resource, log]) => [resource, log.copy()]));
    return copy;
  }

  #dropOldest(): void {
    const event = this.#all.drop();
    if (event === undefined) return;
    const { resource } = event.record.key;
    const log = this.#byResource.get(resource);
    log?.drop();
    if (log?.size === 0) this.#byResource.delete(resource);
    this.#bytes -= bytesHeldBy(event);
    this.#oldest = event.revision;
  }
}

/** Estimated memory of an event without the JSON of its versions. */
const EVENT_BYTES = 200;

/** Estimates the memory freed by dropping the event: its overhead and the versions that are not current. */
function bytesHeldBy(event: StoreEvent): number {
  if (event.kind === "created") return EVENT_BYTES;
  const last = event.kind === "deleted" ? event.record.json.length : 0;
  return EVENT_BYTES + event.previous.json.length + last;
}
