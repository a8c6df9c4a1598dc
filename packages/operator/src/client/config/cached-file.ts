import { readFile } from "node:fs/promises";
import { Deadline } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** How long the content of a file is cached. Kubelets replace tokens long before they expire. */
const FRESH_MS = 60_000;

/** Caches the text of a file that may be replaced at run time. Reads it again after a minute, or after `expire`. */
export class CachedFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onMissing: (path: string) => Error;
  #text: Promise<string> | undefined;
  #freshness: Deadline | undefined;

  constructor(options: {
    readonly path: string;
    readonly clock: Clock;
    /** Returns the error for a file that cannot be read. */
    readonly onMissing: (path: string) => Error;
  }) {
    this.#path = options.path;
    this.#clock = options.clock;
    this.#onMissing = options.onMissing;
  }

  /** Resolves with the trimmed text. Concurrent callers share one read. Rejects with the error of `onMissing`. */
  text(): Promise<string> {
    if (this.#text === undefined || this.#freshness?.hasPassed !== false) {
      this.#freshness = new Deadline(this.#clock, FRESH_MS);
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
    } catch {
      this.expire();
      throw this.#onMissing(this.#path);
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
