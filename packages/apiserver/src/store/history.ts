import type { StoreEvent, WatchScope } from "./contract.ts";
import { EventLog } from "./event-log.ts";

/** Whether an event is about an object of the scope. */
export function isInScope(event: StoreEvent, scope: WatchScope): boolean {
  const { resource, namespace } = event.record.key;
  return (scope.resource ?? resource) === resource && (scope.namespace ?? namespace) === namespace;
}

/** How much is kept. */
export interface HistoryLimits {
  readonly historyMax: number;
  readonly historyMaxBytes: number;
}

/** The latest events of a store in revision order, within a number of events and of bytes. */
export class History {
  readonly #limits: HistoryLimits;
  /** Revision of the newest event that was dropped, or of the store before the first. */
  #oldest: number;
  #bytes = 0;
  #all = new EventLog();
  /** resource → its events. */
  #byResource = new Map<string, EventLog>();

  constructor(limits: HistoryLimits, oldest: number) {
    this.#limits = limits;
    this.#oldest = oldest;
  }

  /** The oldest revision whose successors are all kept. */
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

  /** The kept events after `revision`, oldest first: all, or those of one resource. */
  after(revision: number, resource?: string): readonly StoreEvent[] {
    const log = resource === undefined ? this.#all : this.#byResource.get(resource);
    return log?.after(revision) ?? [];
  }

  /** A copy with the same past, that goes its own way. */
  copy(): History {
    const copy = new History(this.#limits, this.#oldest);
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

/** What an event costs besides its texts. */
const EVENT_BYTES = 200;

/** What would be free without the event: the versions that are not, and will not be, the present one of an object. */
function bytesHeldBy(event: StoreEvent): number {
  if (event.kind === "created") return EVENT_BYTES;
  const last = event.kind === "deleted" ? event.record.json.length : 0;
  return EVENT_BYTES + event.previous.json.length + last;
}
