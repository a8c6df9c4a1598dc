import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { decodeDeadLetter, isDeadLetterSelected, DEAD_LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetter, DeadLetterQueue, DeadLetterSelection } from "../dead-letter.ts";

/** The number of dead letters per fetch. */
const BATCH = 256;
const FETCH_MS = 5_000;
const FORGET_MS = 60_000;

/** Dependencies of {@link natsDeadLetters}. */
export interface NatsDeadLettersOptions {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly stream: string;
  readonly subject: string;
  /** Sends a dead letter to the subscription again; resolves once the server has stored it. */
  readonly resend: (deadLetter: DeadLetter) => Promise<void>;
}

interface Stored {
  readonly sequence: number;
  readonly deadLetter: DeadLetter;
}

/** Returns the dead letters in a stream of the server. */
export function natsDeadLetters(options: NatsDeadLettersOptions): DeadLetterQueue {
  const { jsm, stream, resend } = options;
  const remove = async (
    choice: DeadLetterSelection,
    before: (deadLetter: DeadLetter) => Promise<void>,
  ): Promise<number> => {
    const chosen = (await read(options, Infinity)).filter(({ deadLetter }) =>
      isDeadLetterSelected(choice, deadLetter.id),
    );
    for (const { deadLetter, sequence } of chosen) {
      await before(deadLetter);
      await jsm.streams.deleteMessage(stream, sequence);
    }
    return chosen.length;
  };
  return {
    list: async ({ limit = 100 } = {}) => (await read(options, limit)).map(({ deadLetter }) => deadLetter),
    replay: (choice) => remove(choice, resend),
    discard: (choice) => remove(choice, async () => {}),
  };
}

/** Reads up to `limit` current dead letters through an ephemeral consumer. */
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
        const deadLetter = decodeDeadLetter(message.data, message.headers?.get(DEAD_LETTER_HEADER));
        stored.push({ sequence: message.seq, deadLetter });
        left--;
      }
      if (left === before) break;
    }
    await jsm.consumers.delete(stream, info.name);
    return stored;
  } catch (error) {
    // The topic was never subscribed or published to.
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return [];
    throw error;
  }
}
