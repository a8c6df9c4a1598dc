import { stat } from "node:fs/promises";
import { InputError, TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { connect } from "@levelset/operator";
import type { ClusterConfig, Connection } from "@levelset/operator";

/** Options of {@link ReconnectingConnection}. */
export interface ReconnectingConnectionOptions {
  readonly access: ClusterConfig;
  /** The kubeconfig files. */
  readonly files: readonly string[];
  /** Reads the files again. */
  readonly read: () => Promise<ClusterConfig>;
}

/**
 * A connection for long-running programs. When the cluster is unreachable or rejects the credentials and the kubeconfig
 * has changed (new login, restart of `levelset dev`), it switches to the new configuration. Callers retry failed
 * requests.
 */
export class ReconnectingConnection {
  readonly #options: ReconnectingConnectionOptions;
  readonly #listeners = new Set<() => void>();
  #access: ClusterConfig;
  #connection: Connection;
  #seen: Promise<string>;
  #isReading = false;

  constructor(options: ReconnectingConnectionOptions) {
    this.#options = options;
    this.#access = options.access;
    this.#connection = connect(options.access);
    this.#seen = stateOf(options.files);
  }

  /** The current cluster configuration. */
  get access(): ClusterConfig {
    return this.#access;
  }

  readonly fetch: Fetch = async (request) => {
    try {
      const response = await this.#connection.fetch(request);
      if (response.status === 401) await this.#renew();
      return response;
    } catch (error) {
      if (error instanceof TransportError) await this.#renew();
      throw error;
    }
  };

  /** Calls the listener after each change of the cluster configuration. */
  onReconnect(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#connection.close();
  }

  async #renew(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { files, read } = this.#options;
      const now = await stateOf(files);
      if (now === (await this.#seen)) return;
      this.#access = await read();
      this.#seen = Promise.resolve(now);
    } catch (error) {
      // Ignored: the original error is reported, and the file may be partially written.
      if (error instanceof InputError) return;
      throw error;
    } finally {
      this.#isReading = false;
    }
    const before = this.#connection;
    this.#connection = connect(this.#access);
    await before.close();
    for (const listener of this.#listeners) listener();
  }
}

/** Returns a text that changes when a file changes. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0, ino: 0 }));
    return [mtimeMs, size, ino];
  });
  return JSON.stringify(await Promise.all(states));
}
