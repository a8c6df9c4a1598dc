import { backoffMs, BACKOFFS, onAbort, randomUuid, toError } from "@levelset/core/internal";
import type { Timer } from "@levelset/core";
import type { Client, ClientConfig } from "pg";
import { CommitListeners } from "../commit-listeners.ts";
import type { StoreWorld } from "../store-config.ts";

/** Commits within this interval share one notification. */
const TOGETHER_MS = 5;

/** Options of {@link CommitNotifications}. */
export interface CommitNotificationOptions {
  readonly connect: () => Client;
  readonly channel: string;
  readonly world: StoreWorld;
}

/**
 * Notifies other processes of commits and receives such notifications (LISTEN/NOTIFY), on a separate connection that
 * is reopened whenever it breaks. Notifications are sent outside of the committing transaction: NOTIFY inside it would
 * serialise all commits.
 */
export class CommitNotifications {
  readonly #options: CommitNotificationOptions;
  readonly #callbacks: CommitListeners;
  /** Identifies our own notifications, which PostgreSQL sends back to us. */
  readonly #self: string;
  readonly #stop = new AbortController();
  #client: Client | undefined;
  #running: Promise<void> | undefined;
  #sending: Timer | undefined;
  #isPending = false;
  #isNotifying = false;

  constructor(options: CommitNotificationOptions) {
    this.#options = options;
    this.#callbacks = new CommitListeners(options.world.logger);
    this.#self = randomUuid(options.world.random);
  }

  /** Adds a callback for commits and returns a function that removes it. */
  add(callback: () => void): () => void {
    this.#start();
    return this.#callbacks.add(callback);
  }

  /** Reports a commit of this process. */
  notify(): void {
    this.#start();
    this.#callbacks.notify();
    if (this.#stop.signal.aborted) return;
    this.#sending ??= this.#options.world.clock.after(TOGETHER_MS, () => {
      this.#sending = undefined;
      this.#isPending = true;
      this.#notify();
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#sending?.cancel();
    await this.#running;
  }

  /** Sends a pending notification if a connection is open and idle. */
  #notify(): void {
    if (this.#client === undefined || !this.#isPending || this.#isNotifying) return;
    this.#isPending = false;
    this.#isNotifying = true;
    this.#client
      .query("SELECT pg_notify($1, $2)", [this.#options.channel, this.#self])
      // A notification is only a hint. If it cannot be sent, the connection breaks, and all callbacks run after the
      // reconnect.
      .catch(() => {})
      .finally(() => {
        this.#isNotifying = false;
        this.#notify();
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
        if (!signal.aborted) logger.warn("commit notifications interrupted", { err: toError(error) });
      }
      // An abort ends the loop.
      await clock.sleep(backoffMs(1, BACKOFFS.commitNotifications, random), signal).catch(() => {});
    }
  }

  /** Resolves on abort; rejects if the connection breaks. */
  async #listen(signal: AbortSignal): Promise<void> {
    const client = this.#options.connect();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    using _ = onAbort(signal, resolve);
    client.on("error", reject);
    client.on("end", () => reject(new Error("connection closed by the database")));
    client.on("notification", ({ payload }) => {
      if (payload !== this.#self) this.#callbacks.notify();
    });
    try {
      await Promise.race([client.connect(), promise]);
      if (signal.aborted) return;
      await client.query(`LISTEN "${this.#options.channel}"`);
      this.#client = client;
      this.#notify();
      // Commits may have been missed while disconnected.
      this.#callbacks.notify();
      await promise;
    } finally {
      this.#client = undefined;
      promise.catch(() => {});
      await client.end().catch(() => {});
    }
  }
}

/** Notifications need no durability. */
export const NOTIFY_SETTINGS: Readonly<Record<string, string>> = { synchronous_commit: "off" };

/** Returns a factory of connections with this configuration. */
export async function clientFactory(config: ClientConfig): Promise<() => Client> {
  const { default: pg } = await import("pg");
  return () => new pg.Client(config);
}
