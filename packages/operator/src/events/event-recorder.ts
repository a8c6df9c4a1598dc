import { Event, isNotFound } from "@levelset/core";
import { randomString, storableText, formatTimestamp, toError, truncateText } from "@levelset/core/internal";
import type { Clock, KubeObject, Logger, ObjectKey, Random } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { EventSink, EventInput } from "../engine/index.ts";

/** Options of {@link EventRecorder}. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The reporting component: the name of the operator. */
  readonly component: string;
}

/** Maximum number of queued Events. More are dropped to bound memory. */
const WAITING_MAX = 1_000;
/** Maximum message length that the API server accepts. */
const MESSAGE_MAX = 1_024;
/** Equal Events within this time are counted on one Event. */
const WINDOW_MS = 600_000;
/** Number of different messages per reason and object from which Events are combined. */
const SIMILAR_MAX = 10;
/** Rate limit per object: burst and refill interval. */
const BURST = 25;
const REFILL_MS = 300_000;
const OBJECTS_MAX = 5_000;

interface RecordedEvent {
  readonly name: string;
  count: number;
}

/** Event state of one object, by UID. */
interface Reporter {
  /** type, reason and message → the Event that counts it. */
  readonly recorded: Map<string, RecordedEvent>;
  /** type and reason → how many different messages. */
  readonly similar: Map<string, number>;
  since: number;
  tokens: number;
  refilledAt: number;
}

interface Pending {
  readonly object: KubeObject;
  readonly notice: Required<EventInput>;
  readonly at: number;
}

/**
 * Records Kubernetes Events. Repeated Events are counted, similar Events are combined, and noisy objects are
 * rate-limited. Recording never blocks and never throws; Events that cannot be written are dropped.
 */
export class EventRecorder implements EventSink {
  readonly #options: EventRecorderOptions;
  readonly #reporters = new Map<string, Reporter>();
  readonly #pending: Pending[] = [];
  #working: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Number of dropped Events. */
  get dropped(): number {
    return this.#dropped;
  }

  record(object: KubeObject, notice: EventInput): void {
    const { clock } = this.#options;
    const at = clock.now();
    if (this.#pending.length >= WAITING_MAX || !this.#takeToken(object.metadata.uid, clock.monotonic())) {
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

  /** Resolves when all queued Events are written or dropped. */
  async flush(): Promise<void> {
    await this.#working;
  }

  #takeToken(uid: string, now: number): boolean {
    const reporter = this.#reporterOf(uid, now);
    const refilled = Math.floor((now - reporter.refilledAt) / REFILL_MS);
    reporter.tokens = Math.min(BURST, reporter.tokens + refilled);
    reporter.refilledAt += refilled * REFILL_MS;
    if (reporter.tokens === 0) return false;
    reporter.tokens--;
    return true;
  }

  #reporterOf(uid: string, now: number): Reporter {
    const known = this.#reporters.get(uid);
    if (known !== undefined) return known;
    const reporter: Reporter = { recorded: new Map(), similar: new Map(), since: now, tokens: BURST, refilledAt: now };
    this.#reporters.set(uid, reporter);
    if (this.#reporters.size > OBJECTS_MAX) {
      const [oldest = ""] = this.#reporters.keys();
      this.#reporters.delete(oldest);
    }
    return reporter;
  }

  async #work(): Promise<void> {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      try {
        await this.#write(next);
      } catch (error) {
        this.#dropped++;
        this.#options.logger.debug("cannot write event", { reason: next.notice.reason, err: toError(error) });
      }
    }
  }

  async #write(pending: Pending): Promise<void> {
    const { object, at } = pending;
    const reporter = this.#reporterOf(object.metadata.uid, at);
    if (at - reporter.since > WINDOW_MS) {
      reporter.recorded.clear();
      reporter.similar.clear();
      reporter.since = at;
    }
    const { notice, id } = joined(reporter, pending.notice);
    const reported = reporter.recorded.get(id);
    if (reported !== undefined && (await this.#countUp(object, reported, notice.message, at))) return;
    const { name } = await this.#create(object, notice, at);
    reporter.recorded.set(id, { name, count: 1 });
  }

  /** Increments the count of an Event. Resolves with false if the Event no longer exists. */
  async #countUp(object: KubeObject, reported: RecordedEvent, message: string, at: number): Promise<boolean> {
    const key = { namespace: namespaceOf(object), name: reported.name };
    try {
      const patch = { count: reported.count + 1, lastTimestamp: formatTimestamp(at), message };
      await this.#options.client.mergePatch(Event, key, patch);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    reported.count++;
    return true;
  }

  async #create(object: KubeObject, notice: Required<EventInput>, at: number): Promise<ObjectKey> {
    const { client, component, random } = this.#options;
    const { name, uid, resourceVersion } = object.metadata;
    const when = formatTimestamp(at);
    const eventName = `${name}.${randomString(random, 16, "0123456789abcdef")}`;
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

/** Returns the Event itself, or a combined one if there are many similar Events, and the key under which it counts. */
function joined(
  reporter: Reporter,
  notice: Required<EventInput>,
): { readonly notice: Required<EventInput>; readonly id: string } {
  const { type, reason, message } = notice;
  const id = JSON.stringify([type, reason, message]);
  if (reporter.recorded.has(id)) return { notice, id };
  const kind = `${type} ${reason}`;
  const similar = (reporter.similar.get(kind) ?? 0) + 1;
  reporter.similar.set(kind, similar);
  if (similar <= SIMILAR_MAX) return { notice, id };
  return { notice: { ...notice, message: `${COMBINED}${message}` }, id: JSON.stringify([type, reason, ""]) };
}

/** Returns the namespace of the Event: `default` for cluster-scoped objects. */
function namespaceOf(object: KubeObject): string {
  return object.metadata.namespace ?? "default";
}
