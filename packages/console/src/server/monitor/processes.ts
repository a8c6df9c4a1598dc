import type { ObjectKey } from "@levelset/core";
import type { ControllerJson, RunJson } from "@levelset/operator/internal";

/** Controllers and runs of an operator process. */
export interface ProcessRuns {
  readonly title: string;
  readonly url: string;
  readonly controllers: readonly ControllerJson[];
  readonly runs: readonly RunJson[];
}

/** Responses of operator processes, and the processes that did not respond. */
export interface ProcessResponses {
  readonly responses: readonly ProcessRuns[];
  readonly unreachable: readonly { readonly title: string; readonly url: string; readonly why: string }[];
}

/** Queries the operator processes. The set of processes may change between queries. */
export interface Processes {
  /** Returns the runs of all objects with a key, of any kind; without a key, the latest run of every object. */
  runs(key: ObjectKey | undefined, signal: AbortSignal): Promise<ProcessResponses>;
  /** Returns the metrics of a process in the Prometheus text format; undefined if it has none. */
  metrics(url: string, signal: AbortSignal): Promise<string | undefined>;
}
