import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { abortError } from "./abortable.ts";
import { wholeOf } from "./body.ts";
import type { DirectRequest } from "./direct.ts";
import { ServerAgent } from "./server-agent.ts";
import type { ServerOptions } from "./server-agent.ts";

/** Long enough for a slow API server to begin to answer; watches answer at once and then stay open without limit. */
const HEADERS_TIMEOUT_MS = 60_000;

/** An answer. Its body is here already, unless a stream was asked for and the server agrees: then it is read from the head. */
export interface PoolAnswer {
  readonly head: IncomingMessage;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Connections to one server. Each carries one request at a time and is kept for the next. They speak HTTP/1.1: a watch has a
 * connection of its own, and a dead one is nobody else's.
 */
export class Pool {
  readonly #agent: ServerAgent;
  readonly #host: string;

  constructor(options: ServerOptions) {
    this.#agent = new ServerAgent(options);
    this.#host = options.server.host;
  }

  /** Sends a request. An abort ends it, and the stream that it opened. */
  async send(asked: DirectRequest): Promise<PoolAnswer> {
    const { method, path, body, isStream, signal } = asked;
    if (this.#agent.isClosed) throw new Error("the connection to the cluster is closed");
    if (signal?.aborted === true) throw abortError(signal);
    const { promise, resolve, reject } = Promise.withResolvers<PoolAnswer>();
    // Node tells the length of a body by itself, but not of one that a DELETE has.
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const headers = { host: this.#host, ...asked.headers, ...length };
    const sent = request({ agent: this.#agent, method, path, headers, timeout: HEADERS_TIMEOUT_MS });
    sent.on("error", reject);
    sent.once("timeout", () => {
      sent.destroy(Object.assign(new Error("the server does not answer"), { code: "ETIMEDOUT" }));
    });
    sent.once("response", (head: IncomingMessage) => {
      sent.setTimeout(0);
      if (isStream && isSuccess(head)) resolve({ head, body: undefined });
      else wholeOf(head).then((whole) => resolve({ head, body: whole }), reject);
    });
    if (signal !== undefined) endWith(signal, sent);
    sent.end(body);
    return promise;
  }

  /** Lets running requests end, and keeps no connection for others. */
  retire(): void {
    this.#agent.retire();
  }

  /** Ends all requests and closes all connections. */
  close(): void {
    this.#agent.close();
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function endWith(signal: AbortSignal, sent: ReturnType<typeof request>): void {
  const onAbort = (): void => {
    sent.destroy(abortError(signal));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  sent.once("close", () => signal.removeEventListener("abort", onAbort));
}
