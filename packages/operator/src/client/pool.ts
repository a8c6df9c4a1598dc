import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { abortError } from "./abortable.ts";
import { wholeOf } from "./body.ts";
import type { DirectRequest } from "./direct.ts";
import { ServerAgent } from "./server-agent.ts";
import type { ServerOptions } from "./server-agent.ts";

/** How long a server may say nothing before or inside of an answer. Watches answer at once and may then be silent without limit. */
const SILENCE_MS = 60_000;

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
  readonly #silenceMs: number;

  /** Only tests have less patience with a silent server. */
  constructor(options: ServerOptions & { readonly silenceMs?: number }) {
    this.#agent = new ServerAgent(options);
    this.#host = options.server.host;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
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
    const sent = request({ agent: this.#agent, method, path, headers, timeout: this.#silenceMs });
    sent.on("error", reject);
    sent.once("timeout", () => {
      sent.destroy(Object.assign(new Error("the server does not answer"), { code: "ETIMEDOUT" }));
    });
    sent.once("response", (head: IncomingMessage) => {
      if (!isStream || !isSuccess(head)) {
        wholeOf(head).then((whole) => resolve({ head, body: whole }), reject);
        return;
      }
      sent.setTimeout(0);
      resolve({ head, body: undefined });
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
