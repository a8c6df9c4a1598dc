/** A figure of a process, as Prometheus would read it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A controller of a process. */
export interface ControllerView {
  readonly name: string;
  readonly kind: string;
  /** Its objects' latest runs: how many ended how. */
  readonly results: Readonly<Record<string, number>>;
  /** Runs that were recorded lately, and the objects that ran most often. */
  readonly busiest: readonly { readonly object: string; readonly run: number; readonly result: string }[];
}

/** A process that operators run in. */
export interface ProcessView {
  readonly title: string;
  readonly url: string;
  readonly controllers: readonly ControllerView[];
  /** Empty where no figures are kept. */
  readonly samples: readonly Sample[];
  /** Why it tells less than it could; empty where it tells all. */
  readonly silent: string;
}

/** What this console itself keeps of a kind. */
export interface CacheView {
  readonly kind: string;
  readonly objects: number;
  readonly isSynced: boolean;
  readonly heardAt?: string;
  readonly lists: number;
  readonly connects: number;
  readonly failures: number;
}

/** How what keeps things true is doing. */
export interface RuntimeDocument {
  /** When it was asked, so that rates can be told from two of these. */
  readonly at: string;
  readonly processes: readonly ProcessView[];
  readonly caches: readonly CacheView[];
}
