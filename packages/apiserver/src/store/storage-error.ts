import { StatusError } from "@levelset/core";

/** Why a store did not take a write: it is closed, has no room left, its disk failed, or the object is in quarantine. */
export type StorageFailure = "closed" | "full" | "failed" | "quarantined";

const SAYS: Readonly<Record<StorageFailure, string>> = {
  closed: "the store is closed",
  full: "database space exceeded: the write was not stored; delete objects, or give the disk or the store more room",
  failed: "the write was not stored: the database failed",
  quarantined:
    "the write was not stored: the latest version of the object is damaged and in quarantine; run: levelset apiserver check --data FILE",
};

/** A write that a store could not make durable. Nothing of it is visible; reads go on. */
export class StorageError extends StatusError {
  override readonly name: string = "StorageError";
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure, options: { readonly cause?: unknown } = {}) {
    super(failure === "closed" ? "ServiceUnavailable" : "InternalError", SAYS[failure], options);
    this.failure = failure;
  }
}
