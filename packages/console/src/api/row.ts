import type { GenerationNote, NodeState } from "@levelset/operator";

/** An object in a list: whether its latest spec has been reached, and why not. */
export interface ObjectRow {
  /** Tells rows apart. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** One object, or a set of them. */
  readonly size: "object" | "set";
  readonly state: NodeState;
  /** A word for why it is so; empty where there is none. */
  readonly reason: string;
  readonly message: string;
  /** Since when it is so. */
  readonly since?: string;
  readonly generation?: GenerationNote;
}

/** How far an adapter is with a resource: reached, still at an earlier generation, failed, or not heard of. */
export type CellState = "done" | "behind" | "failed" | "silent";

/** What one adapter has to do with one resource. */
export interface FleetCell {
  readonly adapter: string;
  readonly state: CellState;
  /** The generation that its verdict is about. */
  readonly generation?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** A resource of a fleet in a list. */
export interface FleetRow {
  /** The resource's own id. */
  readonly id: string;
  readonly kind: string;
  readonly plural: string;
  readonly name: string;
  /** The id of its parent. */
  readonly parent?: string;
  readonly generation: number;
  readonly state: "ready" | "progressing" | "failed" | "deleting";
  readonly message: string;
  readonly since: string;
  /** The generation at which the system runs; absent if it does not. */
  readonly runsAt?: number;
  readonly labels: readonly string[];
  readonly cells: readonly FleetCell[];
}
