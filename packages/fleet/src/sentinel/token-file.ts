import { readFile } from "node:fs/promises";
import { Deadline } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** A bearer token in a file that is replaced externally, such as a projected service account token. */
export class TokenFile {
  readonly #path: string;
  readonly #cacheMs: number;
  readonly #clock: Clock;
  #token: string | undefined;
  #freshness: Deadline | undefined;

  constructor(options: { readonly path: string; readonly cacheMs: number; readonly clock: Clock }) {
    this.#path = options.path;
    this.#cacheMs = options.cacheMs;
    this.#clock = options.clock;
  }

  /**
   * Returns the token, and reads the file again when the cached one is old. Rejects if the file is missing, empty, or
   * does not contain a token.
   */
  async token(): Promise<string> {
    if (this.#token === undefined || this.#freshness?.hasPassed !== false) {
      const freshness = new Deadline(this.#clock, this.#cacheMs);
      this.#token = undefined;
      const text = (await readFile(this.#path, "utf8")).trim();
      if (!/^[\x21-\x7e]+$/u.test(text)) throw new Error(`${this.#path}: does not contain a token`);
      this.#token = text;
      this.#freshness = freshness;
    }
    return this.#token;
  }

  /** Drops the cached token after it was rejected: the next call reads the file again. */
  forget(): void {
    this.#token = undefined;
  }
}
