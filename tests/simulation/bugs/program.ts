import type { Runnable } from "@levelset/core";
import type { ManagedOperator } from "@levelset/operator";

/** What a simulation reads of the services outside of the cluster, and how it disturbs them. */
export interface ExternalWorld {
  /** The effects so far, oldest first, as `verb key`. Equal entries are one effect that was repeated. */
  calls(): readonly string[];
  /** The key of each resource that exists. Equal entries are several resources for one intent. */
  live(): readonly string[];
  /** The next call that has an effect fails: before the service handles it, or after. */
  failNext(fault: "refused" | "response-lost"): void;
}

/** An operator of any kind. */
export type AnyOperator = ManagedOperator & Runnable;

/** A program under simulation, with the part of the world that outlives its processes. */
export interface Program {
  /** Returns the operator of a new process, which has no memory of earlier ones. */
  readonly start: () => AnyOperator;
  readonly external?: ExternalWorld;
}
