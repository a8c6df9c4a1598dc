import { readFile } from "node:fs/promises";
import { Deadline } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** A bearer token that is kept in a file which others replace, as a projected token of a service account is. */
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

  /** The token, read again when what is known is old. Rejects if the file is missing, empty, or holds something that is no token. */
  async token(): Promise<string> {
    if (this.#token === undefined || this.#freshness?.hasPassed !== false) {
      const freshness = new Deadline(this.#clock, this.#cacheMs);
      this.#token = undefined;
      const text = (await readFile(this.#path, "utf8")).trim();
      if (!/^[\x21-\x7e]+$/u.test(text)) throw new Error(`${this.#path}: holds no token`);
      this.#token = text;
      this.#freshness = freshness;
    }
    return this.#token;
  }

  /** The token was refused: the next one who asks reads it anew. */
  forget(): void {
    this.#token = undefined;
  }
}
