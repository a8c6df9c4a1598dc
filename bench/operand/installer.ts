import type { Manifest } from "./manifest-set.ts";

/** Installs consecutive versions of a set on a cluster. */
export interface Installer extends AsyncDisposable {
  /** Applies a version. Returns the duration in milliseconds. */
  apply(set: readonly Manifest[]): Promise<number>;
}
