import type { Manifest } from "./set.ts";

/** Brings sets onto a cluster, one version after the other. */
export interface Installer extends AsyncDisposable {
  /** Brings the cluster to this version. Answers with how many milliseconds that took. */
  apply(set: readonly Manifest[]): Promise<number>;
}
