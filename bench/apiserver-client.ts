import { Pool } from "undici";

/** Address and credentials of a server. */
export interface ServerAccess {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** A client with one pool of TLS connections. */
export class BenchClient implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(server: ServerAccess, connections: number) {
    this.#pool = new Pool(server.url, {
      connections,
      connect: { ca: server.ca },
      bodyTimeout: 0,
      headersTimeout: 60_000,
    });
    this.#headers = { authorization: `Bearer ${server.token}`, "user-agent": "bench/1" };
  }

  /** Sends a request and reads the whole response. Throws for an error status. */
  async send(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: string,
    type = "application/json",
  ): Promise<string> {
    const headers = { ...this.#headers, ...(body === undefined ? {} : { "content-type": type }) };
    const response = await this.#pool.request({ method, path, headers, body: body ?? null });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return text;
  }

  /** Returns the size of the response to a GET in bytes, without parsing it. */
  async size(path: string): Promise<number> {
    const response = await this.#pool.request({ method: "GET", path, headers: this.#headers });
    let size = 0;
    for await (const chunk of response.body) size += (chunk as Buffer).byteLength;
    return size;
  }

  /** Opens a watch and calls `onChunk` with every chunk. Resolves once the watch is open. */
  async watch(path: string, onChunk: (chunk: Buffer) => void): Promise<void> {
    const response = await this.#pool.request({ method: "GET", path, headers: this.#headers });
    if (response.statusCode !== 200) throw new Error(`watch ${path}: ${response.statusCode}`);
    response.body.on("data", onChunk);
    // The pool is destroyed while watches are open.
    response.body.on("error", () => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.destroy();
  }
}
