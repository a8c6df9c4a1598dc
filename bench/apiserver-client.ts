import { Pool } from "undici";

/** What a client must know of a server. */
export interface Reachable {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** One pool of connections over TLS, as a client of a cluster has it. */
export class BenchClient implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(server: Reachable, connections: number) {
    this.#pool = new Pool(server.url, {
      connections,
      connect: { ca: server.ca },
      bodyTimeout: 0,
      headersTimeout: 60_000,
    });
    this.#headers = { authorization: `Bearer ${server.token}`, "user-agent": "bench/1" };
  }

  /** Sends a request and reads the whole answer. Throws when the server refuses. */
  async send(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: string,
    type = "application/json",
  ): Promise<string> {
    const headers = { ...this.#headers, ...(body === undefined ? {} : { "content-type": type }) };
    const answer = await this.#pool.request({ method, path, headers, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return text;
  }

  /** How many bytes the answer to a GET has. They are read, but not looked at. */
  async size(path: string): Promise<number> {
    const answer = await this.#pool.request({ method: "GET", path, headers: this.#headers });
    let size = 0;
    for await (const chunk of answer.body) size += (chunk as Buffer).byteLength;
    return size;
  }

  /** Opens a watch and calls `onChunk` with every piece of it as it comes. Resolves once the watch has begun. */
  async watch(path: string, onChunk: (chunk: Buffer) => void): Promise<void> {
    const answer = await this.#pool.request({ method: "GET", path, headers: this.#headers });
    if (answer.statusCode !== 200) throw new Error(`watch ${path}: ${answer.statusCode}`);
    answer.body.on("data", onChunk);
    // The pool is destroyed under running watches at the end.
    answer.body.on("error", () => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.destroy();
  }
}
