import type { KubeObject, Logger } from "@levelset/core";

/** The phases of a step. */
export type StepPhase = "do" | "cleanup" | "post";

/** A phase of a step that runs, or that started work which it did not await. */
export interface RunningPhase {
  readonly step: string;
  readonly phase: StepPhase;
  /** The object of the run. */
  readonly object: KubeObject;
  /** Has the object, the run and the step in its fields. */
  readonly logger: Logger;
}

/** Calls a phase of a step so that all work that it starts can be attributed to it, also after it has returned. */
export type StepScope = <T>(running: RunningPhase, work: () => T) => T;
