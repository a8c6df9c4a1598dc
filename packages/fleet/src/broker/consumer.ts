import {
  backoffMs,
  BACKOFFS,
  deepFreeze,
  KeyedMutex,
  LinkedAbortController,
  randomUuid,
  Semaphore,
  toError,
} from "@levelset/core/internal";
import { InputError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import type { MessageHandler, Message, SubscribeOptions } from "./broker.ts";
import { eventKeyOf, parseCloudEvent } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";
import type { DeadLetter, DeadLetterReason } from "./dead-letter.ts";
import { InvalidEventError, RejectedMessageError } from "./broker-errors.ts";

/** How long an aborted handler may take to end before its consumer closes without it. */
const ABORT_GRACE_MS = 1_000;

const DEFAULTS: Required<SubscribeOptions> = {
  concurrency: 8,
  attemptsMax: 5,
  deliveriesMax: 20,
  backoff: BACKOFFS.message,
  closeGraceMs: 30_000,
};

/** A message delivered by a server, to be settled with `ack` or `nack`. */
export interface Delivery {
  readonly body: Uint8Array;
  /** The delivery count including this one; 1 if the server does not count. */
  readonly deliveries: number;
  /** Aborts when the message is no longer ours: the server may have redelivered it to another consumer. */
  readonly lost: AbortSignal;
  /** Aborts when the message should be returned unless its handler is running. Also aborts with `lost`. */
  readonly recalled: AbortSignal;
  /** Acknowledges the message. */
  ack(): Promise<void>;
  /** Returns the message. The server redelivers it before later messages of its key. */
  nack(): Promise<void>;
}

/** Options of {@link Consumer}. */
export interface ConsumerOptions {
  readonly topic: string;
  readonly subscription: string;
  readonly handler: MessageHandler;
  readonly settings: SubscribeOptions | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Stores a dead letter; resolves once it is durable. */
  readonly deadLetter: (deadLetter: DeadLetter) => Promise<void>;
  /** Called when a handler ends, so that another may start. */
  readonly onCapacity?: () => void;
}

type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "dead"; readonly reason: DeadLetterReason; readonly error: Error }
  | { readonly kind: "failed"; readonly error: Error };

type Decoded =
  | { readonly kind: "event"; readonly event: CloudEvent; readonly key: string | undefined }
  | { readonly kind: "malformed"; readonly error: InvalidEventError };

/**
 * Processes deliveries for every broker: decodes the message, waits for earlier messages of its key, runs the handler,
 * retries, dead-letters, and settles.
 */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #settings: Required<SubscribeOptions>;
  readonly #logger: Logger;
  readonly #mutex = new KeyedMutex();
  readonly #permits: Semaphore;
  readonly #held = new Set<Promise<void>>();
  /** Aborted when no further handlers may start. */
  readonly #closing = new AbortController();
  /** Aborted when running handlers must end. */
  readonly #ending = new AbortController();
  /** When the last message was dead-lettered. */
  #deadLetteredAt = 0;

  constructor(options: ConsumerOptions) {
    const { topic, subscription, settings } = options;
    this.#options = options;
    this.#settings = checkSettings({ ...DEFAULTS, ...settings });
    this.#logger = options.logger.with({ topic, subscription });
    this.#permits = new Semaphore(this.#settings.concurrency);
  }

  /** Whether a handler could start at once. */
  get hasCapacity(): boolean {
    return this.#permits.free > 0 && !this.#closing.signal.aborted;
  }

  /** Processes a delivery. Resolves when it was acknowledged, dead-lettered or returned; never rejects. */
  accept(delivery: Delivery): Promise<void> {
    const decoded = decode(delivery.body);
    const key = decoded.kind === "event" ? decoded.key : undefined;
    const held = this.#mutex
      .run(key, () => this.#settle(delivery, decoded))
      .catch((thrown: unknown) => {
        // The acknowledgement did not reach the server, which will redeliver the message.
        this.#logger.warn("message not settled", { key, err: toError(thrown) });
      });
    this.#held.add(held);
    return held.finally(() => this.#held.delete(held));
  }

  /** Waits for running handlers up to the grace period, then aborts them. All other deliveries are returned. */
  async close(): Promise<void> {
    this.#closing.abort();
    const ended = Promise.all(this.#held);
    if (await this.#isOver(ended, this.#settings.closeGraceMs)) return;
    this.#ending.abort();
    if (!(await this.#isOver(ended, ABORT_GRACE_MS)))
      this.#logger.warn("handlers did not end after abort", { held: this.#held.size });
  }

  async #isOver(ended: Promise<unknown>, ms: number): Promise<boolean> {
    using limit = new LinkedAbortController([], { clock: this.#options.clock, ms });
    return await limit.race(ended).then(
      () => true,
      () => false,
    );
  }

  async #settle(delivery: Delivery, decoded: Decoded): Promise<void> {
    if (decoded.kind === "malformed") {
      await this.#deadLetter(delivery, { reason: "malformed", error: decoded.error, attempts: 0, key: undefined });
      return;
    }
    const { event, key } = decoded;
    if (delivery.deliveries > this.#settings.deliveriesMax) {
      const error = new Error(`delivered ${delivery.deliveries} times without being settled`);
      await this.#deadLetter(delivery, { reason: "undeliverable", error, attempts: 0, key });
      return;
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(delivery, event, key, attempt);
      if (outcome.kind === "done") return delivery.ack();
      if (outcome.kind === "interrupted") return delivery.nack();
      const { error } = outcome;
      if (outcome.kind === "dead")
        return this.#deadLetter(delivery, { reason: outcome.reason, error, attempts: attempt, key });
      if (attempt >= this.#settings.attemptsMax)
        return this.#deadLetter(delivery, { reason: "exhausted", error, attempts: attempt, key });
      const delayMs = backoffMs(attempt, this.#settings.backoff, this.#options.random);
      this.#logger.warn("message failed", { key, event: event.id, attempt, delayMs: Math.round(delayMs), err: error });
      if (!(await this.#waits(delayMs, delivery.recalled))) return delivery.nack();
    }
  }

  async #try(delivery: Delivery, event: CloudEvent, key: string | undefined, attempt: number): Promise<Outcome> {
    await this.#permits.acquire();
    using stop = new LinkedAbortController([delivery.lost, this.#ending.signal]);
    try {
      if (this.#closing.signal.aborted || delivery.recalled.aborted) return { kind: "interrupted" };
      const { topic, subscription, handler } = this.#options;
      const message: Message = Object.freeze({ topic, subscription, event, key, attempt });
      await handler(message, stop.signal);
      return { kind: "done" };
    } catch (thrown) {
      if (stop.signal.aborted) return { kind: "interrupted" };
      const error = toError(thrown);
      return error instanceof RejectedMessageError
        ? { kind: "dead", reason: "rejected", error }
        : { kind: "failed", error };
    } finally {
      this.#permits.release();
      this.#options.onCapacity?.();
    }
  }

  async #deadLetter(
    delivery: Delivery,
    { error, ...rest }: Pick<DeadLetter, "reason" | "attempts" | "key"> & { readonly error: Error },
  ): Promise<void> {
    const { clock, random, deadLetter } = this.#options;
    // Timestamps are unique because dead letters are ordered by them.
    this.#deadLetteredAt = Math.max(clock.now(), this.#deadLetteredAt + 1);
    const record = {
      ...rest,
      id: randomUuid(random),
      error: error.message,
      at: this.#deadLetteredAt,
      body: delivery.body,
    };
    await deadLetter(record).catch(async (thrown: unknown) => {
      await delivery.nack();
      throw thrown;
    });
    this.#logger.error("message dead-lettered", { deadLetter: record.id, ...rest, err: error });
    await delivery.ack();
  }

  /** Waits for a delay. Returns false if the message is recalled first. */
  async #waits(ms: number, recalled: AbortSignal): Promise<boolean> {
    using stop = new LinkedAbortController([recalled, this.#closing.signal]);
    try {
      await this.#options.clock.sleep(ms, stop.signal);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      throw error;
    }
  }
}

function checkSettings(settings: Required<SubscribeOptions>): Required<SubscribeOptions> {
  for (const name of ["concurrency", "attemptsMax", "deliveriesMax"] as const) {
    const value = settings[name];
    if (!Number.isInteger(value) || value < 1)
      throw new InputError(`${name} must be an integer of at least 1, not ${value}`);
  }
  return settings;
}

function decode(body: Uint8Array): Decoded {
  try {
    const event = deepFreeze(parseCloudEvent(body));
    return { kind: "event", event, key: eventKeyOf(event) };
  } catch (error) {
    if (error instanceof InvalidEventError) return { kind: "malformed", error };
    throw error;
  }
}
