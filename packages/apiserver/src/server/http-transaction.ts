import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { constants, Http2ServerRequest } from "node:http2";
import type { Http2Session } from "node:http2";
import type { TLSSocket } from "node:tls";
import { decodeUtf8, isAbortError, StatusError, textProblem } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { statusErrorResponse } from "../http/index.ts";
import type { ApiResponse, ApiRequest, ApiHandler } from "../http/index.ts";
import type { RequestUser } from "../auth/index.ts";
import type { RequestAuthenticator, Peer } from "./authentication.ts";
import { discardBody } from "./discarded-body.ts";
import { sendResponse } from "./send-response.ts";
import type { NodeResponse } from "./send-response.ts";

/** A request of HTTP/1.1 or HTTP/2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** Options of {@link HttpTransaction.run}. */
export interface HttpTransactionOptions {
  readonly handle: ApiHandler;
  readonly authenticate: RequestAuthenticator;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Timeout for the next chunk of a discarded body. */
  readonly discardMs: number;
  /** Whether the connection ends after this request. */
  readonly isClosing: () => boolean;
}

/** Methods without a request body. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** Adapts a Node request to the API. */
class SocketRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest["headers"];
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly user: RequestUser;
  readonly #transaction: HttpTransaction;

  constructor(request: NodeRequest, transaction: HttpTransaction, user: RequestUser) {
    this.method = request.method ?? "GET";
    this.url = `https://localhost${urlOf(request)}`;
    this.headers = { get: (name) => headerOf(request, name.toLowerCase()) ?? null };
    this.body = BODILESS.has(this.method) ? null : request;
    this.user = user;
    this.#transaction = transaction;
  }

  get signal(): AbortSignal {
    return this.#transaction.signal;
  }
}

/** One request and its response. Aborts its signal, if used, when the client disconnects first. */
export class HttpTransaction {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #abort: AbortController | undefined;
  #isClosed = false;
  #isStreaming = false;

  constructor(request: NodeRequest, response: NodeResponse) {
    this.#request = request;
    this.#response = response;
    response.once("close", () => this.#close());
    // Client disconnects are ignored.
    response.on("error", () => this.#close());
    request.on("error", () => this.#close());
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

  /** The HTTP/2 session; undefined for HTTP/1.1. */
  get session(): Http2Session | undefined {
    return this.#request instanceof Http2ServerRequest ? this.#request.stream.session : undefined;
  }

  /** Ends a streaming response. */
  end(): void {
    this.#abort?.abort();
  }

  /** Handles the request. Never rejects. */
  async run(options: HttpTransactionOptions): Promise<void> {
    try {
      await this.#send(await this.#answer(options), options);
    } catch (error) {
      if (!this.#isClosed && !isAbortError(error)) options.logger.error("connection failed", { err: error });
      this.#response.destroy();
    }
  }

  async #answer(options: HttpTransactionOptions): Promise<ApiResponse> {
    const url = urlOf(this.#request);
    if (!url.startsWith("/") || !URL.canParse(`https://localhost${url}`)) {
      return statusErrorResponse(new StatusError("BadRequest", "the request names no path"));
    }
    const [path = ""] = url.split("?", 1);
    const header = (name: string): string | undefined => textHeaderOf(this.#request, name);
    try {
      const user = options.authenticate({ path, header, peer: peerOf(this.#request) });
      return await options.handle(new SocketRequest(this.#request, this, user));
    } catch (error) {
      if (error instanceof StatusError) return statusErrorResponse(error);
      throw error;
    }
  }

  async #send(response: ApiResponse, options: HttpTransactionOptions): Promise<void> {
    if (this.#isClosed) return;
    const { status, headers } = response;
    const isLast = options.isClosing();
    headers.set("cache-control", "no-cache, private");
    headers.set("audit-id", headerOf(this.#request, "audit-id") ?? randomUUID());
    // The rest of a too large body is not awaited.
    if ((isLast || status === 413) && this.#request.httpVersionMajor === 1) headers.set("connection", "close");
    this.#isStreaming = response.body instanceof ReadableStream;
    await sendResponse(this.#response, response, {
      isHead: this.#request.method === "HEAD",
      acceptEncoding: headerOf(this.#request, "accept-encoding"),
      signal: () => this.signal,
      beforeEnd: this.#isUnread() ? () => discardBody(this.#request, options) : undefined,
    });
    this.#dropRest();
  }

  /** Whether the response was sent before the body was read. */
  #isUnread(): boolean {
    return !BODILESS.has(this.#request.method ?? "GET") && !this.#request.complete && !this.#request.readableEnded;
  }

  /** A body that exceeds the discard limit or never ends must not keep its stream open. */
  #dropRest(): void {
    if (this.#request.complete || this.#request.readableEnded) return;
    if (this.#isUnread() && this.#request instanceof Http2ServerRequest) {
      this.#request.stream.close(constants.NGHTTP2_NO_ERROR);
    } else {
      this.#request.resume();
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#response.writableEnded) this.#abort?.abort();
  }
}

/** Node decodes header bytes as latin1. Clients send UTF-8, like those of kube-apiserver. */
function headerOf(request: NodeRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === undefined ? undefined : fromBytes(text).toWellFormed();
}

/** Returns a header that is stored or returned, such as a user name. Throws BadRequest if it is not UTF-8. */
function textHeaderOf(request: NodeRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  if (text === undefined) return undefined;
  const decoded = fromBytes(text);
  const problem = textProblem(decoded);
  if (problem === undefined) return decoded;
  const message = `Invalid value: ${problem}`;
  throw new StatusError("BadRequest", `the header ${name} is unrecognized: ${message}`, {
    details: { causes: [{ reason: "FieldValueInvalid", message, field: name }] },
  });
}

/** Returns path and query. Raw non-ASCII bytes are percent-encoded, so that they are decoded like the others. */
function urlOf(request: NodeRequest): string {
  const { url = "/" } = request;
  return BEYOND_ASCII.test(url)
    ? url.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    : url;
}

function fromBytes(text: string): string {
  return BEYOND_ASCII.test(text) ? decodeUtf8(Buffer.from(text, "latin1")) : text;
}

/** Returns one object per connection: over HTTP/2 each request has its own socket proxy. */
function peerOf(request: NodeRequest): Peer {
  const socket = request instanceof Http2ServerRequest ? request.stream.session?.socket : request.socket;
  // The server accepts TLS connections only.
  return socket as TLSSocket;
}
