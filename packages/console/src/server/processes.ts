import type { ObjectKey } from "@levelset/core";
import type { ControllerJson, RunJson } from "@levelset/operator";

/** What a process that operators run in said. */
export interface ProcessRuns {
  readonly title: string;
  readonly url: string;
  readonly controllers: readonly ControllerJson[];
  readonly runs: readonly RunJson[];
}

/** Processes that were asked, and those of them that did not answer. */
export interface ProcessAnswers {
  readonly told: readonly ProcessRuns[];
  readonly silent: readonly { readonly title: string; readonly url: string; readonly why: string }[];
}

/** Where to ask the processes that operators run in. Which they are may change from one question to the next. */
export interface Processes {
  /** The runs of the objects with a key, of whatever kind; without a key, the latest run of every object. */
  runs(key: ObjectKey | undefined, signal: AbortSignal): Promise<ProcessAnswers>;
  /** The figures of a process, in the format of Prometheus; undefined where none are kept. */
  figures(url: string, signal: AbortSignal): Promise<string | undefined>;
}
