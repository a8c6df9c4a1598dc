import { Deadline, toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { createLocalJWKSet, errors } from "jose";
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters, LocalJWKSet } from "jose";
import type { KeySource } from "./key-source.ts";

/** The keys of an issuer are unavailable: its tokens can be neither accepted nor refused. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

/** Options of {@link KeySet}. */
export interface KeySetOptions {
  readonly source: KeySource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly refreshMs: number;
  readonly cooldownMs: number;
}

/**
 * The keys of an issuer. Loaded on first use, when they are old, and when a token names an unknown key (rotation), but
 * at most once per cool-down. While loading fails the old keys stay in use.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: LocalJWKSet | undefined;
  #version = 0;
  /** When the source may be requested again, and when the keys are old. */
  #cooldown: Deadline | undefined;
  #freshness: Deadline | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Changes with the keys. */
  get version(): number {
    return this.#version;
  }

  /** Loads the keys if they are old. Never rejects: without keys, `keyOf` rejects. */
  async refresh(): Promise<void> {
    if (this.#isOld()) await this.#load();
  }

  /**
   * Returns the key that signed a token. Rejects with `KeysUnavailableError`, or with jose's `JWKSNoMatchingKey` or
   * `JWKSMultipleMatchingKeys`.
   */
  async keyOf(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    await this.refresh();
    try {
      return await this.#known()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayLoad()) throw error;
    }
    await this.#load();
    return this.#known()(header, token);
  }

  #known(): LocalJWKSet {
    if (this.#keys === undefined) throw new KeysUnavailableError("the keys of the issuer are unavailable");
    return this.#keys;
  }

  #isOld(): boolean {
    return this.#freshness?.hasPassed !== false && this.#mayLoad();
  }

  #mayLoad(): boolean {
    return this.#loading !== undefined || this.#cooldown?.hasPassed !== false;
  }

  async #load(): Promise<void> {
    this.#loading ??= this.#loadOnce();
    await this.#loading;
  }

  async #loadOnce(): Promise<void> {
    const { source, clock, logger, refreshMs, cooldownMs } = this.#options;
    this.#cooldown = new Deadline(clock, cooldownMs);
    try {
      const keys = await source.load();
      if (keys !== undefined) {
        this.#keys = createLocalJWKSet(keys);
        this.#version += 1;
      }
      this.#freshness = new Deadline(clock, refreshMs);
    } catch (error) {
      logger.warn("issuer keys not loaded", { source: source.location, err: toError(error).message });
    } finally {
      this.#loading = undefined;
    }
  }
}
