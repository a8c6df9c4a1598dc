import type { Clock } from "@levelset/core";
import type { AsyncMessage, Channel, Connection } from "rabbitmq-client";
import { decodeLetter, isChosen, LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetter, DeadLetterQueue, LetterChoice } from "../dead-letter.ts";
import { within } from "../within.ts";
import { bytesOf } from "./rabbitmq-body.ts";

/** How many letters are held at a time, so how many one operation knows of. */
const HELD_MAX = 10_000;
/** How long the next letter may take. Somebody else may have taken it. */
const NEXT_MS = 2_000;
/** How long letters that stay may take to be back in their queue. */
const RETURN_TRIES = 100;
const RETURN_TRY_MS = 20;

/** What the dead letters of a subscription need. */
export interface RabbitmqDeadLettersOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** Where they are. */
  readonly queue: string;
  /** Hands one to the subscription again; resolves once the server has it. */
  readonly resend: (letter: DeadLetter) => Promise<void>;
}

type Visit = (letter: DeadLetter) => Promise<"keep" | "drop">;

/** Dead letters in a queue of the server. They are consumed; those that stay go back to their places with the channel. */
export function rabbitmqDeadLetters(options: RabbitmqDeadLettersOptions): DeadLetterQueue {
  const remove = async (choice: LetterChoice, before: (letter: DeadLetter) => Promise<void>): Promise<number> => {
    let count = 0;
    await walk(options, Infinity, async (letter) => {
      if (!isChosen(choice, letter.id)) return "keep";
      await before(letter);
      count++;
      return "drop";
    });
    return count;
  };
  return {
    list: async ({ limit = 100 } = {}) => {
      const letters: DeadLetter[] = [];
      await walk(options, limit, async (letter) => {
        letters.push(letter);
        return "keep";
      });
      return letters;
    },
    replay: (choice) => remove(choice, options.resend),
    discard: (choice) => remove(choice, async () => {}),
  };
}

async function walk(options: RabbitmqDeadLettersOptions, limit: number, visit: Visit): Promise<void> {
  const { connection } = options;
  const channel = await connection.acquire({ emitErrorsFromChannel: true });
  channel.on("error", () => {}); // what was asked for rejects with it
  let left = 0;
  try {
    left = await visitAll(channel, options, limit, visit);
  } catch (error) {
    // Nobody ever subscribed.
    if (!(error instanceof Error && "code" in error && error.code === "NOT_FOUND")) throw error;
  } finally {
    await channel.close();
  }
  await awaitReturn(options, left);
}

/** Visits what is there now, oldest first. Answers how many letters stay. */
async function visitAll(
  channel: Channel,
  options: RabbitmqDeadLettersOptions,
  limit: number,
  visit: Visit,
): Promise<number> {
  const { messageCount } = await channel.queueDeclare({ queue: options.queue, passive: true });
  const messages = await takeAll(channel, options, messageCount);
  // A quorum queue does not put back to the front what was looked at.
  const letters = messages.map((message) => ({ message, letter: letterOf(message) }));
  let dropped = 0;
  for (const { message, letter } of letters.toSorted((a, b) => a.letter.at - b.letter.at).slice(0, limit)) {
    if ((await visit(letter)) === "keep") continue;
    channel.basicAck({ deliveryTag: message.deliveryTag });
    dropped++;
  }
  return messageCount - dropped;
}

/** Consumes so many messages, without acknowledging any; fewer when they do not come. */
async function takeAll(
  channel: Channel,
  { queue, clock }: RabbitmqDeadLettersOptions,
  messageCount: number,
): Promise<readonly AsyncMessage[]> {
  const count = Math.min(messageCount, HELD_MAX);
  const arrived: AsyncMessage[] = [];
  if (count === 0) return arrived;
  let wake = (): void => {};
  await channel.basicQos({ prefetchCount: count });
  await channel.basicConsume({ queue }, (message) => {
    arrived.push(message);
    wake();
  });
  for (let before = -1; arrived.length < count && arrived.length > before;) {
    before = arrived.length;
    const next = new Promise<void>((resolve) => (wake = resolve));
    await within({ clock, ms: NEXT_MS, what: queue }, next).catch(() => {});
  }
  return arrived;
}

/** A queue takes back what was kept a moment after the channel closed. Who looks next should see all. */
async function awaitReturn({ connection, queue, clock }: RabbitmqDeadLettersOptions, left: number): Promise<void> {
  if (left === 0) return;
  for (let tries = 0; tries < RETURN_TRIES; tries++) {
    const { messageCount } = await connection.queueDeclare({ queue, passive: true });
    if (messageCount >= left) return;
    await clock.sleep(RETURN_TRY_MS);
  }
}

function letterOf(message: AsyncMessage): DeadLetter {
  const header: unknown = message.headers?.[LETTER_HEADER];
  return decodeLetter(bytesOf(message.body), typeof header === "string" ? header : undefined);
}
