import type { AdapterStatus, Resource } from "../resource/index.ts";
import type { JournalEntry } from "./journal.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { PlannedWork } from "./due-work.ts";

/** That a resource was at this revision when the decision was made. */
export interface Expected {
  readonly id: string;
  readonly revision: number;
}

/** A resource that replaces what was read at a revision. */
export interface Update {
  readonly resource: Resource;
  readonly revision: number;
  /** Whether spec, labels or references are others than before: they are written only then. */
  readonly isDeclared: boolean;
  /** The resource as it was read. If it is given, conditions that are as they were are not written again. */
  readonly before?: Resource;
}

/** An adapter's status that replaces the one before. */
export interface StatusUpdate {
  readonly resourceId: string;
  readonly status: AdapterStatus;
}

/**
 * One decision, to be committed as a whole or not at all. Every resource that the decision relied on is in it exactly once: as updated,
 * removed, or touched, which says that it must still be as it was read, and makes others notice that somebody relied on it.
 * The parent of what is created or removed is always among them; so are the targets of new references.
 */
export interface ChangeSet {
  /** What happened. Its id is the id of the change: the same change committed again is recognised by it. */
  readonly entry: JournalEntry;
  readonly created?: readonly Resource[];
  readonly updated?: readonly Update[];
  readonly touched?: readonly Expected[];
  /** Removed with their statuses, labels, conditions, references in both directions, and due work. Children before parents. */
  readonly removed?: readonly Update[];
  readonly statuses?: readonly StatusUpdate[];
  readonly work?: readonly PlannedWork[];
  /** What to answer when a request with the same idempotency key comes again. */
  readonly answer?: KeptAnswer;
}

/**
 * What became of a change. `conflict`: something was changed since it was read, so read and decide again. `taken`: the name is in use,
 * or the idempotency key is.
 */
export type Committed =
  | { readonly kind: "committed" }
  | { readonly kind: "conflict" }
  | { readonly kind: "taken"; readonly what: "name" | "answer" };
