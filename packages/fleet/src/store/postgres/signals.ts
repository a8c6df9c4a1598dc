import { jitter, randomUuid, toError } from "@levelset/core";
import type { Timer } from "@levelset/core";
import type { Client, ClientConfig } from "pg";
import { Callbacks } from "../callbacks.ts";
import type { StoreWorld } from "../store-config.ts";

/** Commits within this time are told together. */
const TOGETHER_MS = 5;
const RETRY_MS = 1_000;

/** What signals need. */
export interface SignalOptions {
  readonly connect: () => Client;
  readonly channel: string;
  readonly world: StoreWorld;
}

/**
 * Tells other processes of commits, and hears of theirs, over a connection of its own that is made again whenever it breaks. A signal is no part of the
 * commit: inside of it, it would make all commits wait for each other.
 */
export class Signals {
  readonly #options: SignalOptions;
  readonly #callbacks: Callbacks;
  /** Ours come back to us too. */
  readonly #self: string;
  readonly #stop = new AbortController();
  #client: Client | undefined;
  #running: Promise<void> | undefined;
  #sending: Timer | undefined;
  #isUntold = false;
  #isTelling = false;

  constructor(options: SignalOptions) {
    this.#options = options;
    this.#callbacks = new Callbacks(options.world.logger);
    this.#self = randomUuid(options.world.random);
  }

  /** Calls back after commits. Returns what ends it. */
  add(callback: () => void): () => void {
    this.#start();
    return this.#callbacks.add(callback);
  }

  /** There was a commit of ours. */
  committed(): void {
    this.#start();
    this.#callbacks.call();
    if (this.#stop.signal.aborted) return;
    this.#sending ??= this.#options.world.clock.after(TOGETHER_MS, () => {
      this.#sending = undefined;
      this.#isUntold = true;
      this.#tell();
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#sending?.cancel();
    await this.#running;
  }

  /** As soon as there is a connection that has nothing else to do. */
  #tell(): void {
    if (this.#client === undefined || !this.#isUntold || this.#isTelling) return;
    this.#isUntold = false;
    this.#isTelling = true;
    this.#client
      .query("SELECT pg_notify($1, $2)", [this.#options.channel, this.#self])
      // It is a hint. If it cannot be sent, the connection breaks and everybody looks when it is there again.
      .catch(() => {})
      .finally(() => {
        this.#isTelling = false;
        this.#tell();
      });
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { clock, random, logger } = this.#options.world;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#listen(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn("signals of commits are cut off", { error: toError(error) });
      }
      // An abort ends the loop.
      await clock.sleep(jitter(random, RETRY_MS, 0.5), signal).catch(() => {});
    }
  }

  /** Resolves on an abort, rejects when the connection breaks. */
  async #listen(signal: AbortSignal): Promise<void> {
    const client = this.#options.connect();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    client.on("error", reject);
    client.on("end", () => reject(new Error("the connection has ended")));
    client.on("notification", ({ payload }) => {
      if (payload !== this.#self) this.#callbacks.call();
    });
    try {
      await Promise.race([client.connect(), promise]);
      if (signal.aborted) return;
      await client.query(`LISTEN "${this.#options.channel}"`);
      this.#client = client;
      this.#tell();
      // Something may have happened while nobody listened.
      this.#callbacks.call();
      await promise;
    } finally {
      this.#client = undefined;
      signal.removeEventListener("abort", onAbort);
      promise.catch(() => {});
      await client.end().catch(() => {});
    }
  }
}

/** Signals need not be on the disk. */
export const SIGNAL_SETTINGS: Readonly<Record<string, string>> = { synchronous_commit: "off" };

/** Makes connections of a configuration. */
export async function clientsOf(config: ClientConfig): Promise<() => Client> {
  const { default: pg } = await import("pg");
  return () => new pg.Client(config);
}
