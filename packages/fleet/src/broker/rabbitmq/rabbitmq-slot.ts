import { toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import type { AsyncMessage, Channel, Connection } from "rabbitmq-client";
import type { Consumer, Delivery } from "../consumer.ts";
import { within } from "../within.ts";
import { bytesOf } from "./rabbitmq-body.ts";

/** How long to wait before a channel that could not be opened is tried again. */
const REOPEN_MS = 250;
/** How long the server may take to let us in line: after a restart, queues come back one by one. */
const OPEN_MS = 15_000;
const CLOSE_MS = 5_000;

/** What reading a slot's queue takes. */
export interface RabbitmqSlotOptions {
  readonly connection: Connection;
  readonly queue: string;
  readonly consumer: Consumer;
  /** How many messages are held at a time. */
  readonly prefetch: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Declares the queue when it is gone. */
  readonly declare: () => Promise<void>;
}

/** One channel in the server's line for a queue: when its turn comes, it alone gets the queue's messages. */
interface Turn {
  readonly channel: Channel;
  /** Aborts when it is over. */
  readonly lost: AbortController;
  readonly recalled: AbortController;
  readonly held: Set<Promise<void>>;
  /** Whether it is known to be the one that gets messages. */
  isActive: boolean;
}

/**
 * Reads the queue of one slot. The server gives it to one consumer at a time and to the next in line when that one's channel closes,
 * with all unacknowledged messages back in their places. So order needs no more than one rule: a channel is closed after its handlers ended.
 */
export class RabbitmqSlot {
  readonly #options: RabbitmqSlotOptions;
  readonly #stopping = new AbortController();
  #turn: Turn | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: RabbitmqSlotOptions) {
    this.#options = options;
  }

  /** Whether this process is the one that gets the queue's messages, as far as it knows: it got one. */
  get isActive(): boolean {
    return this.#turn?.isActive === true;
  }

  /** Gets in line. Resolves when the server said so; from then on it stays in line, over restarts of the server. */
  async start(): Promise<void> {
    const turn = await this.#open();
    this.#loop = this.#stayInLine(turn);
  }

  /** Goes to the end of the line, so that the next consumer gets its turn. */
  async yield(): Promise<void> {
    if (this.#turn !== undefined) await this.#endTurn(this.#turn);
  }

  /** Begins to leave the line: nothing starts any more, and what runs may finish. */
  recall(): void {
    this.#stopping.abort();
    this.#turn?.recalled.abort();
  }

  /** Leaves the line; what still runs is lost. */
  async stop(): Promise<void> {
    this.recall();
    if (this.#turn !== undefined) await this.#close(this.#turn);
    await this.#loop;
  }

  async #stayInLine(first: Turn): Promise<void> {
    for (let turn: Turn | undefined = first; !this.#stopping.signal.aborted; turn = await this.#reopen()) {
      if (turn !== undefined) await aborted(turn.lost.signal);
    }
  }

  async #reopen(): Promise<Turn | undefined> {
    const { clock, declare, logger, queue } = this.#options;
    if (this.#stopping.signal.aborted) return undefined;
    try {
      const turn = await this.#open();
      if (this.#stopping.signal.aborted) await this.#close(turn);
      return turn;
    } catch (thrown) {
      const error = toError(thrown);
      logger.debug("queue not consumed", { queue, error });
      if ("code" in error && error.code === "NOT_FOUND") await declare().catch(() => {});
      await clock.sleep(REOPEN_MS, this.#stopping.signal).catch(() => {});
      return undefined;
    }
  }

  async #open(): Promise<Turn> {
    const { clock, connection, logger, prefetch, queue } = this.#options;
    const channel = await connection.acquire({ emitErrorsFromChannel: true });
    const turn: Turn = {
      channel,
      lost: new AbortController(),
      recalled: new AbortController(),
      held: new Set(),
      isActive: false,
    };
    channel.once("close", () => {
      turn.recalled.abort();
      turn.lost.abort();
    });
    channel.on("error", (error: unknown) => logger.warn("channel closed", { queue, error: toError(error) }));
    channel.on("basic.cancel", () => void this.#endTurn(turn));
    this.#turn = turn;
    const consuming = channel
      .basicQos({ prefetchCount: prefetch })
      .then(() => channel.basicConsume({ queue }, (message) => this.#onMessage(turn, message)));
    const limit = { clock, ms: OPEN_MS, what: `consuming ${queue}`, signal: turn.lost.signal };
    await within(limit, consuming).catch((error: unknown) => {
      void this.#close(turn);
      throw error;
    });
    return turn;
  }

  #onMessage(turn: Turn, message: AsyncMessage): void {
    turn.isActive = true;
    // It goes back with the channel, which is about to close.
    if (turn.recalled.signal.aborted) return;
    const held = this.#options.consumer.accept(this.#deliveryOf(turn, message));
    turn.held.add(held);
    void held.finally(() => turn.held.delete(held));
  }

  #deliveryOf(turn: Turn, message: AsyncMessage): Delivery {
    const { deliveryTag } = message;
    const { channel, lost, recalled } = turn;
    return {
      body: bytesOf(message.body),
      deliveries: 1 + Number(message.headers?.["x-delivery-count"] ?? 0),
      lost: lost.signal,
      recalled: recalled.signal,
      ack: async () => channel.basicAck({ deliveryTag }),
      // Not one by one, which would change their order: all go back together when the channel closes.
      giveBack: async () => {
        if (!recalled.signal.aborted) void this.#endTurn(turn);
      },
    };
  }

  async #endTurn(turn: Turn): Promise<void> {
    turn.recalled.abort();
    await Promise.all(turn.held);
    await this.#close(turn);
  }

  /** A server that does not answer keeps the channel until it ends the connection, or we do; we have left it anyway. */
  async #close({ channel, lost }: Turn): Promise<void> {
    const limit = { clock: this.#options.clock, ms: CLOSE_MS, what: "closing a channel" };
    await within(limit, channel.close()).catch(() => lost.abort());
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
