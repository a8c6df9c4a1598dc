import type { ObjectState } from "@levelset/core";

/** Goals of a wait. */
export const WAIT_GOALS = ["ready", "available", "deleted"] as const;
export type WaitGoal = (typeof WAIT_GOALS)[number];

/** State of one object or resource during a wait. */
export interface WaitState {
  /**
   * `waiting` continues. The others end the wait: `reached`: the goal is met; `failed`: the latest generation has
   * failed and a person has to act; `gone`: the object was deleted, and deletion was not the goal.
   */
  readonly kind: "waiting" | "reached" | "failed" | "gone";
  /** The latest generation; absent if the object does not exist or its kind has none. */
  readonly generation?: number | undefined;
  /** Observed generation; absent if the status does not report it. */
  readonly observedGeneration?: number | undefined;
  readonly state: ObjectState;
  /** Machine-readable reason. */
  readonly reason?: string | undefined;
  readonly message: string;
}

/** How a wait for several objects ended. */
export type WaitOutcome = "reached" | "failed" | "gone" | "timeout" | "stopped";

/** Initial state of a target. */
export const NOT_READ: WaitState = { kind: "waiting", state: "Unknown", message: "not read yet" };

/** Returns the outcome if all goals are reached or one cannot be reached; undefined while the wait continues. */
export function decidedBy(states: readonly WaitState[]): WaitOutcome | undefined {
  for (const kind of ["failed", "gone"] as const) if (states.some((state) => state.kind === kind)) return kind;
  return states.every(({ kind }) => kind === "reached") ? "reached" : undefined;
}
