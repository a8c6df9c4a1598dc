import { BACKOFFS } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { AsyncMessage, Channel, Connection } from "rabbitmq-client";
import { decodeDeadLetter, isDeadLetterSelected, DEAD_LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetter, DeadLetterQueue, DeadLetterSelection } from "../dead-letter.ts";
import { withDeadline } from "../with-deadline.ts";
import { bytesOf } from "./rabbitmq-body.ts";

/** How many dead letters are fetched at a time, which limits one operation. */
const HELD_MAX = 10_000;
/** How long to wait for the next dead letter. Another consumer may have taken it. */
const NEXT_MS = 2_000;
/** How often to check whether the remaining dead letters are back in the queue. */
const RETURN_TRIES = 100;

/** Dependencies of {@link rabbitmqDeadLetters}. */
export interface RabbitmqDeadLettersOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The queue of the dead letters. */
  readonly queue: string;
  /** Sends a dead letter to the subscription again; resolves once the server has stored it. */
  readonly resend: (deadLetter: DeadLetter) => Promise<void>;
}

type Visit = (deadLetter: DeadLetter) => Promise<"keep" | "drop">;

/**
 * Returns the dead letters in a queue of the server. Operations consume them; those that remain return to the queue
 * when the channel closes.
 */
export function rabbitmqDeadLetters(options: RabbitmqDeadLettersOptions): DeadLetterQueue {
  const remove = async (
    choice: DeadLetterSelection,
    before: (deadLetter: DeadLetter) => Promise<void>,
  ): Promise<number> => {
    let count = 0;
    await walk(options, Infinity, async (deadLetter) => {
      if (!isDeadLetterSelected(choice, deadLetter.id)) return "keep";
      await before(deadLetter);
      count++;
      return "drop";
    });
    return count;
  };
  return {
    list: async ({ limit = 100 } = {}) => {
      const deadLetters: DeadLetter[] = [];
      await walk(options, limit, async (deadLetter) => {
        deadLetters.push(deadLetter);
        return "keep";
      });
      return deadLetters;
    },
    replay: (choice) => remove(choice, options.resend),
    discard: (choice) => remove(choice, async () => {}),
  };
}

async function walk(options: RabbitmqDeadLettersOptions, limit: number, visit: Visit): Promise<void> {
  const { connection } = options;
  const channel = await connection.acquire({ emitErrorsFromChannel: true });
  channel.on("error", () => {}); // the failed operation rejects with this error
  let left = 0;
  try {
    left = await visitAll(channel, options, limit, visit);
  } catch (error) {
    // The subscription was never created.
    if (!(error instanceof Error && "code" in error && error.code === "NOT_FOUND")) throw error;
  } finally {
    await channel.close();
  }
  await awaitReturn(options, left);
}

/** Visits the current dead letters, oldest first. Returns how many remain. */
async function visitAll(
  channel: Channel,
  options: RabbitmqDeadLettersOptions,
  limit: number,
  visit: Visit,
): Promise<number> {
  const { messageCount } = await channel.queueDeclare({ queue: options.queue, passive: true });
  const messages = await takeAll(channel, options, messageCount);
  // A quorum queue does not return messages to the front.
  const deadLetters = messages.map((message) => ({ message, letter: deadLetterOf(message) }));
  let dropped = 0;
  for (const { message, letter: deadLetter } of deadLetters
    .toSorted((a, b) => a.letter.at - b.letter.at)
    .slice(0, limit)) {
    if ((await visit(deadLetter)) === "keep") continue;
    channel.basicAck({ deliveryTag: message.deliveryTag });
    dropped++;
  }
  return messageCount - dropped;
}

/** Consumes up to `messageCount` messages without acknowledging them; fewer if they do not arrive in time. */
async function takeAll(
  channel: Channel,
  { queue, clock }: RabbitmqDeadLettersOptions,
  messageCount: number,
): Promise<readonly AsyncMessage[]> {
  const count = Math.min(messageCount, HELD_MAX);
  const arrived: AsyncMessage[] = [];
  if (count === 0) return arrived;
  let notify = (): void => {};
  await channel.basicQos({ prefetchCount: count });
  await channel.basicConsume({ queue }, (message) => {
    arrived.push(message);
    notify();
  });
  for (let before = -1; arrived.length < count && arrived.length > before;) {
    before = arrived.length;
    const next = new Promise<void>((resolve) => (notify = resolve));
    await withDeadline({ clock, ms: NEXT_MS, what: queue }, next).catch(() => {});
  }
  return arrived;
}

/**
 * Waits until the remaining messages are back in the queue, shortly after the channel closed, so that the next reader
 * sees all.
 */
async function awaitReturn({ connection, queue, clock }: RabbitmqDeadLettersOptions, left: number): Promise<void> {
  if (left === 0) return;
  for (let tries = 0; tries < RETURN_TRIES; tries++) {
    const { messageCount } = await connection.queueDeclare({ queue, passive: true });
    if (messageCount >= left) return;
    await clock.sleep(BACKOFFS.rabbitmqDeadLetters.firstMs);
  }
}

function deadLetterOf(message: AsyncMessage): DeadLetter {
  const header: unknown = message.headers?.[DEAD_LETTER_HEADER];
  return decodeDeadLetter(bytesOf(message.body), typeof header === "string" ? header : undefined);
}
