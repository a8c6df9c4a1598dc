import type { Http2Session } from "node:http2";
import type { Socket } from "node:net";
import { isAbortError, toError } from "../error/index.ts";
import type { Logger } from "../log/index.ts";
import type { Clock } from "../time/index.ts";
import { discardBody } from "./discarded-body.ts";
import { httpResponse, isStream } from "./http-handler.ts";
import type { HttpHandler, HttpResponse } from "./http-handler.ts";
import { hasBody, headerOf, isHttp2, SocketRequest } from "./node-request.ts";
import type { NodeRequest } from "./node-request.ts";
import { sendResponse } from "./send-response.ts";
import type { Compression, NodeResponse } from "./send-response.ts";

/** Options of {@link HttpTransaction.run}. */
export interface HttpTransactionOptions {
  readonly handler: HttpHandler;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Timeout for the next chunk of a discarded body. */
  readonly discardMs: number;
  readonly compression: Compression | undefined;
  /** Whether the connection ends after this request. */
  readonly isClosing: () => boolean;
}

/** NO_ERROR of RFC 9113. Node's constant would load its HTTP/2 module in every server. */
const NO_ERROR = 0;

/** One request and its response. Aborts its signal, if used, when the client disconnects first. */
export class HttpTransaction {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  readonly #onClose: (transaction: HttpTransaction) => void;
  /** The HTTP/2 session; the socket for HTTP/1.1. */
  readonly connection: Http2Session | Socket;
  #abort: AbortController | undefined;
  #isClosed = false;
  #isStreaming = false;

  /** Calls `onClose` once, after the response is flushed or the client disconnected. */
  constructor(request: NodeRequest, response: NodeResponse, onClose: (transaction: HttpTransaction) => void) {
    this.#request = request;
    this.#response = response;
    this.#onClose = onClose;
    const { socket } = request;
    this.connection = isHttp2(request) ? (request.stream.session ?? socket) : socket;
    response.once("close", () => this.close());
    // Client disconnects are ignored.
    response.on("error", () => this.close());
    request.on("error", () => this.close());
  }

  /** Created on first use, because few requests wait. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isClosed) this.#abort.abort();
    return this.#abort.signal;
  }

  /** Whether the response is a stream that does not end by itself. */
  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** Whether the response has begun. */
  get hasResponded(): boolean {
    return this.#response.headersSent;
  }

  /** Ends a streaming response. */
  end(): void {
    this.#abort ??= new AbortController();
    this.#abort.abort();
  }

  /** Handles the request. Never rejects, so that no request can end the process. */
  async run(options: HttpTransactionOptions): Promise<void> {
    try {
      await this.#send(await this.#respond(options), options);
    } catch (error) {
      if (!this.#isClosed && !isAbortError(error)) options.logger.error("connection failed", { err: error });
      this.#response.destroy();
    }
  }

  async #respond({ handler, logger }: HttpTransactionOptions): Promise<HttpResponse> {
    try {
      return await handler(new SocketRequest(this.#request, () => this.signal));
    } catch (error) {
      if (this.#isClosed || isAbortError(error)) throw error;
      const { message, stack } = toError(error);
      logger.error("request failed", { method: this.#request.method, err: message, stack });
      return httpResponse(500, "internal error\n", { "content-type": "text/plain; charset=utf-8" });
    }
  }

  async #send(reply: HttpResponse, options: HttpTransactionOptions): Promise<void> {
    if (this.#isClosed) return;
    this.#isStreaming = isStream(reply.body);
    const isLast = options.isClosing();
    // The server began to close before it knew that the response is a stream.
    if (this.#isStreaming && isLast) this.end();
    const cutOff = (): void => void this.#response.destroy();
    reply.abort?.addEventListener("abort", cutOff, { once: true });
    await sendResponse(this.#response, reply, {
      isHead: this.#request.method === "HEAD",
      // The rest of a too large body is not awaited.
      isLast: (isLast || reply.status === 413) && !isHttp2(this.#request),
      acceptEncoding: headerOf(this.#request, "accept-encoding"),
      compression: options.compression,
      signal: () => this.signal,
      cancel: () => this.end(),
      beforeEnd: this.#isUnread() ? () => discardBody(this.#request, options) : undefined,
    });
    reply.abort?.removeEventListener("abort", cutOff);
    this.#dropRest();
  }

  /** Whether the response was sent before the body was read. */
  #isUnread(): boolean {
    return hasBody(this.#request) && !this.#request.complete && !this.#request.readableEnded;
  }

  /** A body that exceeds the discard limit or never ends must not keep its stream open. */
  #dropRest(): void {
    if (this.#request.complete || this.#request.readableEnded) return;
    if (this.#isUnread() && isHttp2(this.#request)) this.#request.stream.close(NO_ERROR);
    else this.#request.resume();
  }

  /** Called when the response is flushed or the connection is closed. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#response.writableEnded) this.#abort?.abort();
    this.#onClose(this);
  }
}
