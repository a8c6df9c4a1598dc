import { readFile } from "node:fs/promises";
import { Deadline } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** The default of `cacheMs`. Kubelets replace tokens long before they expire. */
const CACHE_MS = 60_000;

/** Caches the text of a file that may be replaced at run time. Reads it again after `cacheMs`, or after `expire`. */
export class CachedFile {
  readonly #path: string;
  readonly #cacheMs: number;
  readonly #clock: Clock;
  readonly #onMissing: (path: string, cause: unknown) => Error;
  #text: Promise<string> | undefined;
  #freshness: Deadline | undefined;

  constructor(options: {
    readonly path: string;
    /** Default: a minute. */
    readonly cacheMs?: number;
    readonly clock: Clock;
    /** Returns the error for a file that cannot be read. */
    readonly onMissing: (path: string, cause: unknown) => Error;
  }) {
    this.#path = options.path;
    this.#cacheMs = options.cacheMs ?? CACHE_MS;
    this.#clock = options.clock;
    this.#onMissing = options.onMissing;
  }

  /** Resolves with the trimmed text. Concurrent callers share one read. Rejects with the error of `onMissing`. */
  text(): Promise<string> {
    if (this.#text === undefined || this.#freshness?.hasPassed !== false) {
      this.#freshness = new Deadline(this.#clock, this.#cacheMs);
      this.#text = this.#read();
    }
    return this.#text;
  }

  /** Drops the cached text; the next call reads the file. */
  expire(): void {
    this.#text = undefined;
  }

  async #read(): Promise<string> {
    try {
      return (await readFile(this.#path, "utf8")).trim();
    } catch (error) {
      this.expire();
      throw this.#onMissing(this.#path, error);
    }
  }
}

/** Returns credentials with a bearer token from a file. */
export function tokenFileCredentials(file: CachedFile): {
  current(): Promise<{ readonly token: string }>;
  invalidate(): void;
} {
  return {
    current: async () => ({ token: await file.text() }),
    invalidate: () => file.expire(),
  };
}
