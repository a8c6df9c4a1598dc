import type { JsonObject } from "@levelset/core";

/** Why Maestro did not do what was asked. */
export type MaestroReason =
  /** There is no such work, or no such consumer. */
  | "NotFound"
  /** It changed meanwhile, or is there already. */
  | "Conflict"
  /** The work itself is refused. */
  | "Invalid"
  /** It cannot be reached, or not now. */
  | "Unavailable";

/** Maestro did not do what was asked. The message is for people: nothing of its inside is in it. */
export class MaestroError extends Error {
  override readonly name = "MaestroError";
  readonly reason: MaestroReason;

  constructor(reason: MaestroReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Which incarnation and version of a work a deletion is for, as far as they are known. */
export interface WorkPreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * Maestro as the transport needs it: ManifestWorks of consumers. Whoever has a client of Maestro's own wire wraps it in this. Methods reject
 * with a MaestroError.
 */
export interface MaestroClient {
  get(consumer: string, name: string, signal: AbortSignal): Promise<JsonObject>;
  /** The works that have these labels. */
  list(consumer: string, labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Rejects with a Conflict if there is a work of that name already. */
  create(consumer: string, work: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Merges a patch into a work. A patch that names another uid or resourceVersion than the work has is a Conflict. */
  patch(consumer: string, name: string, patch: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Requests its deletion: it stays, with a deletionTimestamp, until the other side has removed what it made. A work that does not meet the
   * preconditions is a Conflict; the transport reads the work right before, so a client whose wire has none may ignore them.
   */
  delete(consumer: string, name: string, signal: AbortSignal, preconditions?: WorkPreconditions): Promise<void>;
}
