import { stat } from "node:fs/promises";
import { InputError, TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { connect } from "@levelset/operator";
import type { ClusterAccess, Connection } from "@levelset/operator";

/** What a connection is made from, and made from again. */
export interface RenewedConnectionOptions {
  readonly access: ClusterAccess;
  /** The files that led there. */
  readonly files: readonly string[];
  /** Reads them again. */
  readonly read: () => Promise<ClusterAccess>;
}

/**
 * A connection for programs that stay. When the cluster does not answer or refuses the credentials, and somebody has replaced the
 * kubeconfig since, by a new login or a new start of `levelset dev`, it leads where that leads now. What failed is for its caller to
 * ask again.
 */
export class RenewedConnection {
  readonly #options: RenewedConnectionOptions;
  readonly #listeners = new Set<() => void>();
  #access: ClusterAccess;
  #connection: Connection;
  #seen: Promise<string>;
  #isReading = false;

  constructor(options: RenewedConnectionOptions) {
    this.#options = options;
    this.#access = options.access;
    this.#connection = connect(options.access);
    this.#seen = stateOf(options.files);
  }

  /** Where it leads now. */
  get access(): ClusterAccess {
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

  /** Calls whenever it leads elsewhere. */
  onRenewed(listener: () => void): void {
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
      // Nobody is to be told: what the caller waits for fails for a reason of its own, and a file may be half written.
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

/** Changes when a file does. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0, ino: 0 }));
    return [mtimeMs, size, ino];
  });
  return JSON.stringify(await Promise.all(states));
}
