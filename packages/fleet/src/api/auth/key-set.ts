import { Deadline, toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { createLocalJWKSet, errors } from "jose";
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters, LocalJWKSet } from "jose";
import type { KeySource } from "./key-source.ts";

/** Nobody knows the keys of an issuer: its tokens can neither be accepted nor refused. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** What a key set is made of. */
export interface KeySetOptions {
  readonly source: KeySource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly refreshMs: number;
  readonly cooldownMs: number;
}

/**
 * The keys of an issuer. They are loaded when first needed, again when they are old, and again when a token names a key that is not
 * among them, which is how rotation shows; but never more often than the cool-down allows. While loading fails the old keys stay.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: LocalJWKSet | undefined;
  #version = 0;
  /** When the source may be asked again, and when the keys are old. */
  #cooldown: Deadline | undefined;
  #freshness: Deadline | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Another number for other keys. */
  get version(): number {
    return this.#version;
  }

  /** Loads the keys if they are old. Never fails: without any, `keyOf` does. */
  async refresh(): Promise<void> {
    if (this.#isOld()) await this.#load();
  }

  /** The key that signed a token. Throws KeysUnavailable, or jose's JWKSNoMatchingKey or JWKSMultipleMatchingKeys. */
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
    if (this.#keys === undefined) throw new KeysUnavailable("the keys of the issuer cannot be had");
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
      logger.warn("keys not loaded", { source: source.place, error: toError(error).message });
    } finally {
      this.#loading = undefined;
    }
  }
}
