import type { GenerationStatus } from "@levelset/operator/internal";

/** State of an object or a fleet resource, as shown to people. */
export type DisplayState = "ready" | "progressing" | "degraded" | "failed" | "deleting" | "paused" | "unknown";

/** An object as a list row. */
export interface ObjectRow {
  /** Unique in the list. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** `set`: an Operand. */
  readonly type: "object" | "set";
  readonly state: DisplayState;
  /** Reason of Ready; may be empty. */
  readonly reason: string;
  readonly message: string;
  /** Time of the last transition of Ready; otherwise the creation or deletion time. */
  readonly since?: string;
  readonly generation?: GenerationStatus;
}

/** State of an adapter for a resource. `degraded`: it failed at the latest generation and may recover. */
export type CellState = Extract<DisplayState, "ready" | "progressing" | "degraded" | "unknown">;

/** State of one adapter for one resource. */
export interface AdapterCell {
  readonly adapter: string;
  readonly state: CellState;
  /** The generation that its last result is for. */
  readonly generation?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** A fleet resource as a list row. */
export interface FleetRow {
  /** ID of the resource. */
  readonly id: string;
  readonly kind: string;
  readonly plural: string;
  readonly name: string;
  /** ID of its parent. */
  readonly parent?: string;
  readonly generation: number;
  readonly state: DisplayState;
  readonly message: string;
  readonly since: string;
  /** The generation for which Available is True; absent if it is not True. */
  readonly availableAt?: number;
  readonly labels: readonly string[];
  readonly cells: readonly AdapterCell[];
}
