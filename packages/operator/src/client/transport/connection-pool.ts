import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { abortError, onAbort } from "@levelset/core/internal";
import { readAll } from "./response-body.ts";
import type { RawRequest } from "./raw-fetch.ts";
import { ServerAgent } from "./server-agent.ts";
import type { ServerAgentOptions } from "./server-agent.ts";

/** Idle timeout before and inside a response. Watches respond at once and have no idle timeout afterwards. */
const SILENCE_MS = 60_000;

/** A response. Its body is read completely, unless a stream was requested and accepted; then it is read from `head`. */
export interface PoolResponse {
  readonly head: IncomingMessage;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Keep-alive connections to one server, one request at a time per connection. Uses HTTP/1.1: each watch has its own
 * connection, so a dead connection affects one request only.
 */
export class ConnectionPool {
  readonly #agent: ServerAgent;
  readonly #host: string;
  readonly #silenceMs: number;

  /** Only tests set `silenceMs`. */
  constructor(options: ServerAgentOptions & { readonly silenceMs?: number }) {
    this.#agent = new ServerAgent(options);
    this.#host = options.server.host;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
  }

  /**
   * Sends a request. An abort of its signal ends the request and its stream. Rejects with the network error or a
   * timeout.
   */
  async send(requested: RawRequest): Promise<PoolResponse> {
    const { method, path, body, isStream, signal } = requested;
    if (this.#agent.isClosed) throw new Error("the connection to the cluster is closed");
    if (signal?.aborted === true) throw abortError(signal);
    const { promise, resolve, reject } = Promise.withResolvers<PoolResponse>();
    // Node sets content-length itself, except for the body of a DELETE.
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const headers = { host: this.#host, ...requested.headers, ...length };
    const sent = request({ agent: this.#agent, method, path, headers, timeout: this.#silenceMs });
    sent.on("error", reject);
    sent.once("timeout", () => {
      sent.destroy(Object.assign(new Error("the server does not answer"), { code: "ETIMEDOUT" }));
    });
    sent.once("response", (head: IncomingMessage) => {
      if (!isStream || !isSuccess(head)) {
        readAll(head).then((whole) => resolve({ head, body: whole }), reject);
        return;
      }
      sent.setTimeout(0);
      resolve({ head, body: undefined });
    });
    if (signal !== undefined) {
      const aborting = onAbort(signal, () => sent.destroy(abortError(signal)));
      sent.once("close", () => aborting[Symbol.dispose]());
    }
    sent.end(body);
    return promise;
  }

  /** Lets running requests complete, and closes idle connections. */
  retire(): void {
    this.#agent.retire();
  }

  /** Aborts all requests and closes all connections. */
  close(): void {
    this.#agent.close();
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}
