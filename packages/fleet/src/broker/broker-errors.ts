/** An invalid part of an event, and what is expected. */
export interface EventFieldError {
  /** The attribute, or "" for the event as a whole. */
  readonly field: string;
  readonly message: string;
}

/**
 * The input is not a valid CloudEvent. The message names the invalid attributes but never includes event content, which
 * may be secret.
 */
export class InvalidEventError extends Error {
  override readonly name: string = "InvalidEventError";
  readonly faults: readonly EventFieldError[];

  constructor(faults: readonly EventFieldError[]) {
    const texts = faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
    super(`invalid CloudEvent: ${texts.join("; ")}`);
    this.faults = faults;
  }
}

/** The broker did not complete an operation in time, or is closed. A publish may or may not have happened. */
export class BrokerUnavailableError extends Error {
  override readonly name: string = "BrokerUnavailableError";
}

/** Thrown by a handler to reject a message permanently. The message is dead-lettered without retries. */
export class RejectedMessageError extends Error {
  override readonly name: string = "RejectedMessage";
}

/**
 * No queue is bound for a message: the topic has no subscription, or its queues are bound to another exchange. The
 * message was not published.
 */
export class UnroutableMessage extends Error {
  override readonly name: string = "UnroutableMessage";
}

/** An exchange or queue of this name exists on the server with different settings. It was left unchanged. */
export class TopologyMismatch extends Error {
  override readonly name: string = "TopologyMismatch";
}
