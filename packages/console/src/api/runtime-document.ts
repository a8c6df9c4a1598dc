import type { RunResult } from "@levelset/operator/internal";

/** A Prometheus sample of a process. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A controller of a process. */
export interface ControllerView {
  readonly name: string;
  readonly kind: string;
  /** Results of the latest run of each object, with their numbers. */
  readonly results: Readonly<Partial<Record<RunResult, number>>>;
  /** The objects with the most runs, and their latest runs. */
  readonly busiest: readonly { readonly object: string; readonly run: number; readonly result: RunResult }[];
}

/** A process that runs operators. */
export interface ProcessView {
  readonly title: string;
  readonly url: string;
  readonly controllers: readonly ControllerView[];
  /** Empty if the process has no metrics. */
  readonly samples: readonly Sample[];
  /** Error of the process; empty if it responded. */
  readonly unreachable: string;
}

/** Informer cache of a kind. */
export interface CacheView {
  readonly kind: string;
  readonly objects: number;
  readonly isSynced: boolean;
  readonly lastEventAt?: string;
  readonly lists: number;
  readonly connects: number;
  readonly failures: number;
}

/** Page with the health of operators and informers. */
export interface RuntimeDocument {
  /** Time of the snapshot, for rates. */
  readonly at: string;
  readonly processes: readonly ProcessView[];
  readonly caches: readonly CacheView[];
}
