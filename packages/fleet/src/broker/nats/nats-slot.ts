import { Deadline, instantOf, toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { JetStreamError } from "@nats-io/jetstream";
import type { Consumer as JetStreamConsumer, JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Consumer, Delivery } from "../consumer.ts";
import { within } from "../within.ts";

/** How long a request for a message stays with the server; an idle slot costs one request in this time. */
const PULL_MS = 30_000;
const RETRY_MS = 250;
const RETRY_MAX_MS = 8_000;
/** After how many failures in a row that say nothing of the slot itself the server is asked whether it is still there. */
const FAILURES_MAX = 8;
const ACK_TIMEOUT_MS = 5_000;

/** What reading a slot takes. */
export interface NatsSlotOptions {
  readonly connection: NatsConnection;
  readonly slot: number;
  readonly source: JetStreamConsumer;
  readonly consumer: Consumer;
  /** Whether a subject is meant for this subscription. */
  readonly isAddressee: (subject: string) => boolean;
  /** Makes the slot again if it is gone. */
  readonly declare: () => Promise<unknown>;
  readonly ackWaitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/**
 * Takes the messages of one slot, one at a time, until told to stop. After that it may still wait for the server's answer to its last
 * request: a message that comes with it goes back at once.
 */
export async function readSlot(options: NatsSlotOptions): Promise<void> {
  const { clock, logger, slot, source, stopping } = options;
  for (let failures = 0; !stopping.aborted;) {
    try {
      const message = await source.next({ expires: PULL_MS });
      if (message !== null) await take(message, options);
      failures = 0;
    } catch (error) {
      if (stopping.aborted) return;
      failures++;
      if (failures === 1) logger.debug("slot not read", { slot, error: toError(error) });
      await clock.sleep(RETRY_MS, stopping).catch(() => {});
      // The server says that the slot is gone, or says nothing at all about it.
      const isDoubtful = error instanceof JetStreamError;
      if (isDoubtful || failures % FAILURES_MAX === 0) await redeclare(options, toError(error));
    }
  }
}

/** Makes sure that the slot is there. To ask for a message of one that is not would only end after `PULL_MS`. */
async function redeclare({ declare, clock, logger, slot, stopping }: NatsSlotOptions, cause: Error): Promise<void> {
  if (!stopping.aborted) logger.warn("slot not read, looking for it", { slot, error: cause });
  for (let delayMs = RETRY_MS; !stopping.aborted; delayMs = Math.min(2 * delayMs, RETRY_MAX_MS)) {
    try {
      await declare();
      return;
    } catch (error) {
      logger.debug("slot not declared", { slot, error: toError(error) });
      await clock.sleep(delayMs, stopping).catch(() => {});
    }
  }
}

async function take(message: JsMsg, options: NatsSlotOptions): Promise<void> {
  if (options.stopping.aborted) message.nak();
  else if (options.isAddressee(message.subject)) await handle(message, options);
  else await message.ackAck({ timeout: ACK_TIMEOUT_MS });
}

/** Gives a message to the consumer and shows the server a sign of life until it is settled. */
async function handle(message: JsMsg, options: NatsSlotOptions): Promise<void> {
  const lost = new AbortController();
  const settled = new AbortController();
  const alive = showLife(message, options, { lost, settled: settled.signal });
  await options.consumer.accept(deliveryOf(message, lost.signal));
  settled.abort();
  await alive;
}

async function showLife(
  message: JsMsg,
  { ackWaitMs, clock, connection }: NatsSlotOptions,
  { lost, settled }: { readonly lost: AbortController; readonly settled: AbortSignal },
): Promise<void> {
  const ms = ackWaitMs / 3;
  for (let deadline = new Deadline(clock, ackWaitMs); ;) {
    await clock.sleep(ms, settled).catch(() => {});
    if (settled.aborted) return;
    // From the moment it is sent: the server counts anew when it receives it.
    const sentAt = instantOf(clock);
    message.working();
    const isSeen = await within({ clock, ms, what: "sign of life", signal: settled }, connection.flush()).then(
      () => true,
      () => false,
    );
    if (isSeen) deadline = new Deadline(clock, ackWaitMs, sentAt);
    else if (deadline.hasPassed) return lost.abort();
  }
}

function deliveryOf(message: JsMsg, lost: AbortSignal): Delivery {
  return {
    body: message.data,
    deliveries: message.info.deliveryCount,
    lost,
    recalled: lost,
    ack: async () => {
      await message.ackAck({ timeout: ACK_TIMEOUT_MS });
    },
    giveBack: async () => message.nak(),
  };
}
