/** What a command waits for. */
export const WAIT_GOALS = ["ready", "available", "deleted"] as const;
export type WaitGoal = (typeof WAIT_GOALS)[number];

/** How one object or resource stands while a command waits for it. */
export interface WaitState {
  /**
   * `waiting` goes on. The others end the wait: `reached` as asked for; `failed` for the latest generation, so a person has to act; `gone`
   * if the object was deleted and something else than that was waited for.
   */
  readonly kind: "waiting" | "reached" | "failed" | "gone";
  /** The latest generation; absent if the object does not exist or its kind has none. */
  readonly generation?: number | undefined;
  /** The generation that the status is about; absent if it does not say. */
  readonly observedGeneration?: number | undefined;
  readonly state: "Ready" | "Progressing" | "Degraded" | "Failed" | "Deleting" | "Unknown";
  /** One word for programs. */
  readonly reason?: string | undefined;
  readonly message: string;
}

/** How a wait for several objects ended. */
export type WaitOutcome = "reached" | "failed" | "gone" | "timeout" | "stopped";

/** The state of a target about which nothing is known yet. */
export const NOT_READ: WaitState = { kind: "waiting", state: "Unknown", message: "not read yet" };

/** The outcome if one of these states decides it: all are reached, or one can no longer be. Undefined while the wait goes on. */
export function decidedBy(states: readonly WaitState[]): WaitOutcome | undefined {
  for (const kind of ["failed", "gone"] as const) if (states.some((state) => state.kind === kind)) return kind;
  return states.every(({ kind }) => kind === "reached") ? "reached" : undefined;
}
