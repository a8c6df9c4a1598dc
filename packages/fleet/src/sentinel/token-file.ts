import { toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { CachedFile } from "@levelset/operator/internal";

/** A bearer token in a file that is replaced externally, such as a projected service account token. */
export class TokenFile {
  readonly #path: string;
  readonly #file: CachedFile;

  constructor(options: { readonly path: string; readonly cacheMs: number; readonly clock: Clock }) {
    this.#path = options.path;
    this.#file = new CachedFile({ ...options, onMissing: (_path, cause) => toError(cause) });
  }

  /**
   * Returns the token, and reads the file again when the cached one is old. Rejects if the file is missing, empty, or
   * does not contain a token.
   */
  async token(): Promise<string> {
    const text = await this.#file.text();
    if (/^[\x21-\x7e]+$/u.test(text)) return text;
    this.forget();
    throw new Error(`${this.#path}: does not contain a token`);
  }

  /** Drops the cached token after it was rejected: the next call reads the file again. */
  forget(): void {
    this.#file.expire();
  }
}
