import { Event, isNotFound, randomText, storableText, timestamp, toError, truncateText } from "@levelset/core";
import type { Clock, KubeObject, Logger, ObjectKey, Random } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { EventSink, Notice } from "../step/index.ts";

/** What a recorder needs. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Who tells: the name of the operator. */
  readonly component: string;
}

/** Notices that wait to be written; more are dropped, for telling must not cost memory without bound. */
const WAITING_MAX = 1_000;
/** What the API server takes. */
const MESSAGE_MAX = 1_024;
/** The same thing within this time is counted on one Event. */
const WINDOW_MS = 600_000;
/** Different messages for one reason of one object beyond this are put together. */
const SIMILAR_MAX = 10;
/** What one object may tell at once, and how soon it may tell one thing more. */
const BURST = 25;
const REFILL_MS = 300_000;
const OBJECTS_MAX = 5_000;

interface Told {
  readonly name: string;
  count: number;
}

/** What is remembered about one incarnation of an object. */
interface Teller {
  /** type, reason and message → the Event that counts it. */
  readonly told: Map<string, Told>;
  /** type and reason → how many different messages. */
  readonly similar: Map<string, number>;
  since: number;
  tokens: number;
  refilledAt: number;
}

interface Pending {
  readonly object: KubeObject;
  readonly notice: Required<Notice>;
  readonly at: number;
}

/**
 * Tells people what happens to their objects, as Kubernetes Events. What is told again is counted; what is told in ever new words
 * is put together; who tells too much is not heard. Nobody waits for it and nobody fails because of it.
 */
export class EventRecorder implements EventSink {
  readonly #options: EventRecorderOptions;
  readonly #tellers = new Map<string, Teller>();
  readonly #pending: Pending[] = [];
  #working: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** How many notices nobody will read. */
  get dropped(): number {
    return this.#dropped;
  }

  tell(object: KubeObject, notice: Notice): void {
    const { clock } = this.#options;
    const at = clock.now();
    if (this.#pending.length >= WAITING_MAX || !this.#mayTell(object.metadata.uid, clock.monotonic())) {
      this.#dropped++;
      return;
    }
    const { type = "Normal", reason } = notice;
    const message = truncateText(storableText(notice.message), MESSAGE_MAX);
    this.#pending.push({ object, notice: { type, reason, message }, at });
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Resolves when all that was told is written, or given up. */
  async flush(): Promise<void> {
    await this.#working;
  }

  #mayTell(uid: string, now: number): boolean {
    const teller = this.#tellerOf(uid, now);
    const refilled = Math.floor((now - teller.refilledAt) / REFILL_MS);
    teller.tokens = Math.min(BURST, teller.tokens + refilled);
    teller.refilledAt += refilled * REFILL_MS;
    if (teller.tokens === 0) return false;
    teller.tokens--;
    return true;
  }

  #tellerOf(uid: string, now: number): Teller {
    const known = this.#tellers.get(uid);
    if (known !== undefined) return known;
    const teller: Teller = { told: new Map(), similar: new Map(), since: now, tokens: BURST, refilledAt: now };
    this.#tellers.set(uid, teller);
    if (this.#tellers.size > OBJECTS_MAX) {
      const [oldest = ""] = this.#tellers.keys();
      this.#tellers.delete(oldest);
    }
    return teller;
  }

  async #work(): Promise<void> {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      try {
        await this.#write(next);
      } catch (error) {
        this.#dropped++;
        this.#options.logger.debug("event not written", { reason: next.notice.reason, error: toError(error) });
      }
    }
  }

  async #write(pending: Pending): Promise<void> {
    const { object, at } = pending;
    const teller = this.#tellerOf(object.metadata.uid, at);
    if (at - teller.since > WINDOW_MS) {
      teller.told.clear();
      teller.similar.clear();
      teller.since = at;
    }
    const notice = joined(teller, pending.notice);
    const id = JSON.stringify([notice.type, notice.reason, notice.message.startsWith(COMBINED) ? "" : notice.message]);
    const told = teller.told.get(id);
    if (told !== undefined && (await this.#countUp(object, told, notice.message, at))) return;
    const { name } = await this.#create(object, notice, at);
    teller.told.set(id, { name, count: 1 });
  }

  /** Whether the Event is still there to be counted up. */
  async #countUp(object: KubeObject, told: Told, message: string, at: number): Promise<boolean> {
    const key = { namespace: namespaceOf(object), name: told.name };
    try {
      const patch = { count: told.count + 1, lastTimestamp: timestamp(at), message };
      await this.#options.client.mergePatch(Event, key, patch);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    told.count++;
    return true;
  }

  async #create(object: KubeObject, notice: Required<Notice>, at: number): Promise<ObjectKey> {
    const { client, component, random } = this.#options;
    const { name, uid, resourceVersion } = object.metadata;
    const when = timestamp(at);
    const eventName = `${name}.${randomText(random, 16, "0123456789abcdef")}`;
    const created = await client.create(Event, {
      metadata: { namespace: namespaceOf(object), name: eventName },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name,
        uid,
        resourceVersion,
        ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
      },
      ...notice,
      source: { component },
      reportingComponent: component,
      firstTimestamp: when,
      lastTimestamp: when,
      count: 1,
    });
    return created.metadata;
  }
}

const COMBINED = "(combined from similar events): ";

/** The notice itself, or one that stands for many of its like. */
function joined(teller: Teller, notice: Required<Notice>): Required<Notice> {
  const id = JSON.stringify([notice.type, notice.reason, notice.message]);
  if (teller.told.has(id)) return notice;
  const kind = `${notice.type} ${notice.reason}`;
  const similar = (teller.similar.get(kind) ?? 0) + 1;
  teller.similar.set(kind, similar);
  return similar <= SIMILAR_MAX ? notice : { ...notice, message: `${COMBINED}${notice.message}` };
}

/** Events of cluster-scoped objects live in the default namespace. */
function namespaceOf(object: KubeObject): string {
  return object.metadata.namespace ?? "default";
}
