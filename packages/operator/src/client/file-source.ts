import { readFile } from "node:fs/promises";
import { Deadline } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** How long what a file said is believed. Kubelets replace tokens long before they expire. */
const FRESH_MS = 60_000;

/** The text of a file that others replace while we run: read again after a minute, or at once when it proved wrong. */
export class FileSource {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onMissing: (path: string) => Error;
  #text: Promise<string> | undefined;
  #freshness: Deadline | undefined;

  constructor(options: {
    readonly path: string;
    readonly clock: Clock;
    /** The error for a file that cannot be read. */
    readonly onMissing: (path: string) => Error;
  }) {
    this.#path = options.path;
    this.#clock = options.clock;
    this.#onMissing = options.onMissing;
  }

  /** The file's text, trimmed. Callers at the same time share one read. */
  text(): Promise<string> {
    if (this.#text === undefined || this.#freshness?.hasPassed !== false) {
      this.#freshness = new Deadline(this.#clock, FRESH_MS);
      this.#text = this.#read();
    }
    return this.#text;
  }

  /** The text proved wrong: the next caller reads anew. */
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

/** A bearer token that is kept in a file. */
export function tokenFileCredentials(file: FileSource): {
  current(): Promise<{ readonly token: string }>;
  reject(): void;
} {
  return {
    current: async () => ({ token: await file.text() }),
    reject: () => file.expire(),
  };
}
