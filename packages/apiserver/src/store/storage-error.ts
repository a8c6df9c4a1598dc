import { StatusError } from "@levelset/core";

/**
 * Reason why a store rejected a write: it is closed, out of space, its database failed, or the object is quarantined.
 */
export type StorageFailure = "closed" | "full" | "failed" | "quarantined";

const MESSAGES: Readonly<Record<StorageFailure, string>> = {
  closed: "the store is closed",
  full: "database space exceeded: the write was not stored; delete objects, or free disk space",
  failed: "the write was not stored: the database failed",
  quarantined:
    "the write was not stored: the latest version of the object is damaged and in quarantine; run: levelset apiserver check --data FILE",
};

/** Rejection of a write that was not stored. Readers and watchers never see the write; reads still work. */
export class StorageError extends StatusError {
  override readonly name: string = "StorageError";
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure, options: { readonly cause?: unknown } = {}) {
    super(failure === "closed" ? "ServiceUnavailable" : "InternalError", MESSAGES[failure], options);
    this.failure = failure;
  }
}
