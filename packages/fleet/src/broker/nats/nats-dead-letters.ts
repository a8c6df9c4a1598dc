import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { decodeLetter, isChosen, LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetter, DeadLetterQueue, LetterChoice } from "../dead-letter.ts";

/** How many letters are fetched at a time. */
const BATCH = 256;
const FETCH_MS = 5_000;
const FORGET_MS = 60_000;

/** What the dead letters of a subscription need. */
export interface NatsDeadLettersOptions {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly stream: string;
  readonly subject: string;
  /** Hands one to the subscription again; resolves once the server has it. */
  readonly resend: (letter: DeadLetter) => Promise<void>;
}

interface Stored {
  readonly sequence: number;
  readonly letter: DeadLetter;
}

/** Dead letters in a stream of the server. */
export function natsDeadLetters(options: NatsDeadLettersOptions): DeadLetterQueue {
  const { jsm, stream, resend } = options;
  const remove = async (choice: LetterChoice, before: (letter: DeadLetter) => Promise<void>): Promise<number> => {
    const chosen = (await read(options, Infinity)).filter(({ letter }) => isChosen(choice, letter.id));
    for (const { letter, sequence } of chosen) {
      await before(letter);
      await jsm.streams.deleteMessage(stream, sequence);
    }
    return chosen.length;
  };
  return {
    list: async ({ limit = 100 } = {}) => (await read(options, limit)).map(({ letter }) => letter),
    replay: (choice) => remove(choice, resend),
    discard: (choice) => remove(choice, async () => {}),
  };
}

/** The letters that are there now, at most so many, through a consumer that is gone afterwards. */
async function read({ js, jsm, stream, subject }: NatsDeadLettersOptions, limit: number): Promise<readonly Stored[]> {
  try {
    const info = await jsm.consumers.add(stream, {
      filter_subject: subject,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      inactive_threshold: nanos(FORGET_MS),
      mem_storage: true,
    });
    const stored: Stored[] = [];
    const source = js.consumers.getConsumerFromInfo(info);
    for (let left = Math.min(limit, info.num_pending); left > 0;) {
      const before = left;
      for await (const message of await source.fetch({ max_messages: Math.min(BATCH, left), expires: FETCH_MS })) {
        const letter = decodeLetter(message.data, message.headers?.get(LETTER_HEADER));
        stored.push({ sequence: message.seq, letter });
        left--;
      }
      if (left === before) break;
    }
    await jsm.consumers.delete(stream, info.name);
    return stored;
  } catch (error) {
    // Nobody ever subscribed or published.
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return [];
    throw error;
  }
}
