import { deepFreeze, InputError, randomUuid, toError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { backoffMs } from "@levelset/operator";
import type { Handler, Message, SubscribeOptions } from "./broker.ts";
import { keyOf, parseEvent } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";
import type { DeadLetter, DeadLetterReason } from "./dead-letter.ts";
import { InvalidEvent, RejectedMessage } from "./errors.ts";
import { KeyLanes } from "./key-lanes.ts";
import { Permits } from "./permits.ts";

/** How long a handler may take to end after it was aborted, before its consumer ends without it. */
const ABORT_GRACE_MS = 1_000;

const DEFAULTS: Required<SubscribeOptions> = {
  concurrency: 8,
  attemptsMax: 5,
  deliveriesMax: 20,
  backoff: { firstMs: 1_000, maxMs: 30_000 },
  closeGraceMs: 30_000,
};

/** A message that a server handed out and wants an answer to. */
export interface Delivery {
  readonly body: Uint8Array;
  /** How often it was handed out, this time included; 1 where the server does not count. */
  readonly deliveries: number;
  /** Aborts when the message is no longer ours: the server may have given it to another. */
  readonly lost: AbortSignal;
  /** Aborts when it should go back unless its handler runs. Aborts with `lost` too. */
  readonly recalled: AbortSignal;
  /** It is done with. */
  ack(): Promise<void>;
  /** It was not done; the same message comes again, before later ones of its key. */
  giveBack(): Promise<void>;
}

/** What a consumer needs. */
export interface ConsumerOptions {
  readonly topic: string;
  readonly subscription: string;
  readonly handler: Handler;
  readonly settings: SubscribeOptions | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Keeps a dead letter; resolves once it is safe. */
  readonly bury: (letter: DeadLetter) => Promise<void>;
  /** A handler ended, so another may begin. */
  readonly onRoom?: () => void;
}

type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "dead"; readonly reason: DeadLetterReason; readonly error: Error }
  | { readonly kind: "failed"; readonly error: Error };

type Decoded =
  | { readonly kind: "event"; readonly event: CloudEvent; readonly key: string | undefined }
  | { readonly kind: "malformed"; readonly error: InvalidEvent };

/** What every broker does with a delivery: read it, wait for its key's turn, run the handler, try again, put aside, acknowledge. */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #settings: Required<SubscribeOptions>;
  readonly #logger: Logger;
  readonly #lanes = new KeyLanes();
  readonly #permits: Permits;
  readonly #held = new Set<Promise<void>>();
  /** Nothing begins any more. */
  readonly #closing = new AbortController();
  /** What runs must end. */
  readonly #ending = new AbortController();
  /** When the last dead letter was put aside. */
  #buriedAt = 0;

  constructor(options: ConsumerOptions) {
    const { topic, subscription, settings } = options;
    this.#options = options;
    this.#settings = checkSettings({ ...DEFAULTS, ...settings });
    this.#logger = options.logger.with({ topic, subscription });
    this.#permits = new Permits(this.#settings.concurrency);
  }

  /** Whether a handler could begin at once. */
  get hasRoom(): boolean {
    return this.#permits.free > 0 && !this.#closing.signal.aborted;
  }

  /** Takes a delivery. Resolves when it was acknowledged, put aside or given back; never rejects. */
  accept(delivery: Delivery): Promise<void> {
    const decoded = decode(delivery.body);
    const key = decoded.kind === "event" ? decoded.key : undefined;
    const held = this.#lanes
      .run(key, () => this.#settle(delivery, decoded))
      .catch((thrown: unknown) => {
        // The answer did not reach the server, which will hand out the message again.
        this.#logger.warn("message not settled", { key, error: toError(thrown) });
      });
    this.#held.add(held);
    return held.finally(() => this.#held.delete(held));
  }

  /** Lets running handlers finish for a while, then aborts them. Everything else is given back. */
  async close(): Promise<void> {
    this.#closing.abort();
    const ended = Promise.all(this.#held);
    if (await this.#isOver(ended, this.#settings.closeGraceMs)) return;
    this.#ending.abort();
    if (!(await this.#isOver(ended, ABORT_GRACE_MS)))
      this.#logger.warn("handlers did not end", { held: this.#held.size });
  }

  async #isOver(ended: Promise<unknown>, ms: number): Promise<boolean> {
    const controller = new AbortController();
    const late = this.#options.clock.sleep(ms, controller.signal).then(
      () => false,
      () => true,
    );
    const isOver = await Promise.race([ended.then(() => true), late]);
    controller.abort();
    return isOver;
  }

  async #settle(delivery: Delivery, decoded: Decoded): Promise<void> {
    if (decoded.kind === "malformed") {
      await this.#bury(delivery, { reason: "malformed", error: decoded.error, attempts: 0, key: undefined });
      return;
    }
    const { event, key } = decoded;
    if (delivery.deliveries > this.#settings.deliveriesMax) {
      const error = new Error(`handed out ${delivery.deliveries} times without an end`);
      await this.#bury(delivery, { reason: "undeliverable", error, attempts: 0, key });
      return;
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(delivery, event, key, attempt);
      if (outcome.kind === "done") return delivery.ack();
      if (outcome.kind === "interrupted") return delivery.giveBack();
      const { error } = outcome;
      if (outcome.kind === "dead")
        return this.#bury(delivery, { reason: outcome.reason, error, attempts: attempt, key });
      if (attempt >= this.#settings.attemptsMax)
        return this.#bury(delivery, { reason: "exhausted", error, attempts: attempt, key });
      const delayMs = backoffMs(attempt, this.#settings.backoff, this.#options.random);
      this.#logger.warn("message failed", { key, event: event.id, attempt, delayMs: Math.round(delayMs), error });
      if (!(await this.#waits(delayMs, delivery.recalled))) return delivery.giveBack();
    }
  }

  async #try(delivery: Delivery, event: CloudEvent, key: string | undefined, attempt: number): Promise<Outcome> {
    await this.#permits.acquire();
    const signal = firstOf([delivery.lost, this.#ending.signal]);
    try {
      if (this.#closing.signal.aborted || delivery.recalled.aborted) return { kind: "interrupted" };
      const { topic, subscription, handler } = this.#options;
      const message: Message = Object.freeze({ topic, subscription, event, key, attempt });
      await handler(message, signal.signal);
      return { kind: "done" };
    } catch (thrown) {
      if (signal.signal.aborted) return { kind: "interrupted" };
      const error = toError(thrown);
      return error instanceof RejectedMessage ? { kind: "dead", reason: "rejected", error } : { kind: "failed", error };
    } finally {
      signal.release();
      this.#permits.release();
      this.#options.onRoom?.();
    }
  }

  async #bury(
    delivery: Delivery,
    { error, ...rest }: Pick<DeadLetter, "reason" | "attempts" | "key"> & { readonly error: Error },
  ): Promise<void> {
    const { clock, random, bury } = this.#options;
    // No two at the same time: letters are ordered by it.
    this.#buriedAt = Math.max(clock.now(), this.#buriedAt + 1);
    const letter = { ...rest, id: randomUuid(random), error: error.message, at: this.#buriedAt, body: delivery.body };
    await bury(letter).catch(async (thrown: unknown) => {
      await delivery.giveBack();
      throw thrown;
    });
    this.#logger.error("message put aside", { letter: letter.id, ...rest, error });
    await delivery.ack();
  }

  /** Whether the time passed without the message being wanted back. */
  async #waits(ms: number, recalled: AbortSignal): Promise<boolean> {
    const stop = firstOf([recalled, this.#closing.signal]);
    try {
      await this.#options.clock.sleep(ms, stop.signal);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      throw error;
    } finally {
      stop.release();
    }
  }
}

function checkSettings(settings: Required<SubscribeOptions>): Required<SubscribeOptions> {
  for (const name of ["concurrency", "attemptsMax", "deliveriesMax"] as const) {
    const value = settings[name];
    if (!Number.isInteger(value) || value < 1)
      throw new InputError(`${name} must be a whole number from 1, not ${value}`);
  }
  return settings;
}

function decode(body: Uint8Array): Decoded {
  try {
    const event = deepFreeze(parseEvent(body));
    return { kind: "event", event, key: keyOf(event) };
  } catch (error) {
    if (error instanceof InvalidEvent) return { kind: "malformed", error };
    throw error;
  }
}

/** A signal that aborts with the first of several, until it is released. */
function firstOf(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  for (const signal of signals) {
    if (signal.aborted) controller.abort();
    signal.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    },
  };
}
