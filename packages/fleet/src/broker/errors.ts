/** A part of an event that cannot be, and what it should be. */
export interface EventFault {
  /** The attribute, or "" for the event as a whole. */
  readonly field: string;
  readonly message: string;
}

/** Bytes, or an object, that are no CloudEvent. Says what is wrong where, never what the event holds: it may be a secret. */
export class InvalidEvent extends Error {
  override readonly name: string = "InvalidEvent";
  readonly faults: readonly EventFault[];

  constructor(faults: readonly EventFault[]) {
    const texts = faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
    super(`invalid CloudEvent: ${texts.join("; ")}`);
    this.faults = faults;
  }
}

/** The broker did not do what it was asked in time, or is closed. Whether a publish happened is not known. */
export class BrokerUnavailable extends Error {
  override readonly name: string = "BrokerUnavailable";
}

/** Thrown by a handler: trying this message again is of no use. It goes to the dead letters at once. */
export class RejectedMessage extends Error {
  override readonly name: string = "RejectedMessage";
}

/** The server has no queue for a message: no subscription of the topic exists, or its queues are bound to another exchange. It was not published. */
export class UnroutableMessage extends Error {
  override readonly name: string = "UnroutableMessage";
}

/** The server has an exchange or a queue of this name with other settings. It was left as it is. */
export class TopologyMismatch extends Error {
  override readonly name: string = "TopologyMismatch";
}
