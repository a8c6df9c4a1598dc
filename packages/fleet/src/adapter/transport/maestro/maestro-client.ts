import type { JsonObject } from "@levelset/core";

/** Why a Maestro request failed. */
export type MaestroReason =
  /** The work or the consumer does not exist. */
  | "NotFound"
  /** The work was changed concurrently, or exists already. */
  | "Conflict"
  /** The work was rejected. */
  | "Invalid"
  /** Maestro is unreachable or temporarily unavailable. */
  | "Unavailable";

/** Failure of a Maestro request. The message is for people and contains no internal details. */
export class MaestroError extends Error {
  override readonly name = "MaestroError";
  readonly reason: MaestroReason;

  constructor(reason: MaestroReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** UID and resourceVersion that a deletion requires, as far as known. */
export interface WorkPreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * Client interface for ManifestWorks of consumers. Implement it on top of a client of Maestro's wire protocol. Methods
 * reject with a MaestroError.
 */
export interface MaestroClient {
  get(consumer: string, name: string, signal: AbortSignal): Promise<JsonObject>;
  /** Lists the works with these labels. */
  list(consumer: string, labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Creates a work. Rejects with a Conflict if the name exists already. */
  create(consumer: string, work: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Merges a patch into a work. Rejects with a Conflict if the patch names another uid or resourceVersion. */
  patch(consumer: string, name: string, patch: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Requests deletion: the work stays, with a deletionTimestamp, until the agent has removed its objects. Rejects with
   * a Conflict if the preconditions are not met. The transport reads the work right before, so a client without
   * preconditions may ignore them.
   */
  delete(consumer: string, name: string, signal: AbortSignal, preconditions?: WorkPreconditions): Promise<void>;
}
