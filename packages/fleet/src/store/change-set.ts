import type { AdapterStatus, Resource } from "../resource/index.ts";
import type { JournalEntry } from "./journal.ts";
import type { IdempotentResponse } from "./idempotent-response.ts";
import type { PlannedWork } from "./due-work.ts";

/** A resource and the revision that it had when the decision was made. */
export interface ExpectedRevision {
  readonly id: string;
  readonly revision: number;
}

/** A resource that replaces the one read at `revision`. */
export interface ResourceUpdate {
  readonly resource: Resource;
  readonly revision: number;
  /** Whether spec, labels or references changed. They are written only in this case. */
  readonly isDeclared: boolean;
  /** The resource as it was read. If present, unchanged conditions are not written again. */
  readonly before?: Resource;
}

/** An adapter's status that replaces its previous one. */
export interface StatusUpdate {
  readonly resourceId: string;
  readonly status: AdapterStatus;
}

/**
 * One decision, committed atomically. It contains every resource that the decision relied on exactly once: as updated,
 * removed or touched. A touched resource must still have the expected revision, and its revision is incremented so that
 * concurrent decisions conflict. The parent of each created or removed resource is always included, and so are the
 * targets of new references.
 */
export interface ChangeSet {
  /** The journal entry. Its ID is the ID of the change: a change that is committed again is recognised by it. */
  readonly entry: JournalEntry;
  readonly created?: readonly Resource[];
  readonly updated?: readonly ResourceUpdate[];
  readonly touched?: readonly ExpectedRevision[];
  /**
   * Removed together with its statuses, labels, conditions, references in both directions, and due work. Children come
   * before parents.
   */
  readonly removed?: readonly ResourceUpdate[];
  readonly statuses?: readonly StatusUpdate[];
  readonly work?: readonly PlannedWork[];
  /** The response to return when a request with the same idempotency key is repeated. */
  readonly response?: IdempotentResponse;
}

/**
 * The result of a commit. `conflict`: a resource changed since it was read; read and decide again. `duplicate`: the
 * name or the idempotency key is in use.
 */
export type CommitResult =
  | { readonly kind: "committed" }
  | { readonly kind: "conflict" }
  | { readonly kind: "duplicate"; readonly what: "name" | "answer" };
