import { backoffBaseMs, BACKOFFS, Deadline, instantOf, toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { JetStreamError } from "@nats-io/jetstream";
import type { Consumer as JetStreamConsumer, JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Consumer, Delivery } from "../consumer.ts";
import { withDeadline } from "../with-deadline.ts";

/** How long a pull request stays open on the server; an idle partition costs one request in this time. */
const PULL_MS = 30_000;
/** After this many consecutive failures of unknown cause, checks whether the partition's consumer still exists. */
const FAILURES_MAX = 8;
const ACK_TIMEOUT_MS = 5_000;

/** Options of {@link consumePartition}. */
export interface NatsPartitionOptions {
  readonly connection: NatsConnection;
  readonly partition: number;
  readonly source: JetStreamConsumer;
  readonly consumer: Consumer;
  /** Returns true if a message on this subject is addressed to this subscription. */
  readonly isForSubscription: (subject: string) => boolean;
  /** Recreates the partition's consumer if it is missing. */
  readonly declare: () => Promise<unknown>;
  readonly ackWaitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/**
 * Consumes the messages of one partition, one at a time, until stopped. After that, the last pull request may still be
 * open: a message that arrives with it is returned at once.
 */
export async function consumePartition(options: NatsPartitionOptions): Promise<void> {
  const { clock, logger, partition, source, stopping } = options;
  for (let failures = 0; !stopping.aborted;) {
    try {
      const message = await source.next({ expires: PULL_MS });
      if (message !== null) await take(message, options);
      failures = 0;
    } catch (error) {
      if (stopping.aborted) return;
      failures++;
      if (failures === 1) logger.debug("partition not read", { partition, err: toError(error) });
      await clock.sleep(BACKOFFS.natsPartition.firstMs, stopping).catch(() => {});
      // The server reports that the consumer is missing, or did not respond.
      const mayBeMissing = error instanceof JetStreamError;
      if (mayBeMissing || failures % FAILURES_MAX === 0) await redeclare(options, toError(error));
    }
  }
}

/** Ensures that the partition's consumer exists. A pull request to a missing one would only end after `PULL_MS`. */
async function redeclare(
  { declare, clock, logger, partition, stopping }: NatsPartitionOptions,
  cause: Error,
): Promise<void> {
  if (!stopping.aborted) logger.warn("partition not read, redeclaring it", { partition, err: cause });
  for (let failures = 1; !stopping.aborted; failures += 1) {
    try {
      await declare();
      return;
    } catch (error) {
      logger.debug("partition not declared", { partition, err: toError(error) });
      await clock.sleep(backoffBaseMs(failures, BACKOFFS.natsPartition), stopping).catch(() => {});
    }
  }
}

async function take(message: JsMsg, options: NatsPartitionOptions): Promise<void> {
  if (options.stopping.aborted) message.nak();
  else if (options.isForSubscription(message.subject)) await handle(message, options);
  else await message.ackAck({ timeout: ACK_TIMEOUT_MS });
}

/** Passes a message to the consumer and sends progress signals to the server until it is settled. */
async function handle(message: JsMsg, options: NatsPartitionOptions): Promise<void> {
  const lost = new AbortController();
  const settled = new AbortController();
  const progress = sendProgress(message, options, { lost, settled: settled.signal });
  await options.consumer.accept(deliveryOf(message, lost.signal));
  settled.abort();
  await progress;
}

async function sendProgress(
  message: JsMsg,
  { ackWaitMs, clock, connection }: NatsPartitionOptions,
  { lost, settled }: { readonly lost: AbortController; readonly settled: AbortSignal },
): Promise<void> {
  const ms = ackWaitMs / 3;
  for (let deadline = new Deadline(clock, ackWaitMs); ;) {
    await clock.sleep(ms, settled).catch(() => {});
    if (settled.aborted) return;
    // The server restarts its timer when it receives the signal, so counting from the send time is safe.
    const sentAt = instantOf(clock);
    message.working();
    const isReceived = await withDeadline(
      { clock, ms, what: "progress signal", signal: settled },
      connection.flush(),
    ).then(
      () => true,
      () => false,
    );
    if (isReceived) deadline = new Deadline(clock, ackWaitMs, sentAt);
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
    nack: async () => message.nak(),
  };
}
