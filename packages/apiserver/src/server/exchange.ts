import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { constants, Http2ServerRequest } from "node:http2";
import type { Http2Session } from "node:http2";
import type { TLSSocket } from "node:tls";
import { decodeUtf8, isAbort, StatusError, textProblem } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { failureAnswer } from "../http/index.ts";
import type { Answer, ApiRequest, Handle } from "../http/index.ts";
import type { RequestUser } from "../registry/index.ts";
import type { Authenticate, Peer } from "./authentication.ts";
import { discardBody } from "./discarded-body.ts";
import { send } from "./outgoing.ts";
import type { NodeResponse } from "./outgoing.ts";

/** A request as either version of HTTP brings it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What answers requests from sockets. */
export interface ExchangeOptions {
  readonly handle: Handle;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For the next piece of a body that is discarded. */
  readonly discardMs: number;
  /** Whether the connection is to end with this exchange. */
  readonly isClosing: () => boolean;
}

/** Methods that never have a body here. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** What the API sees of a request from a socket. */
class SocketRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest["headers"];
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly user: RequestUser;
  readonly #exchange: Exchange;

  constructor(request: NodeRequest, exchange: Exchange, user: RequestUser) {
    this.method = request.method ?? "GET";
    this.url = `https://localhost${urlOf(request)}`;
    this.headers = { get: (name) => headerOf(request, name.toLowerCase()) ?? null };
    this.body = BODILESS.has(this.method) ? null : request;
    this.user = user;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** One request and its answer. Aborts its signal, if anybody asked for it, when the client goes away first. */
export class Exchange {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #abort: AbortController | undefined;
  #isClosed = false;
  #isStreaming = false;

  constructor(request: NodeRequest, response: NodeResponse) {
    this.#request = request;
    this.#response = response;
    response.once("close", () => this.#close());
    // A client that goes away while we write or read is its own affair.
    response.on("error", () => this.#close());
    request.on("error", () => this.#close());
  }

  /** Made when asked for: few requests wait for anything. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isClosed) this.#abort.abort();
    return this.#abort.signal;
  }

  /** Whether the answer goes on until somebody ends it. */
  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** The connection, where it carries several exchanges at a time. */
  get session(): Http2Session | undefined {
    return this.#request instanceof Http2ServerRequest ? this.#request.stream.session : undefined;
  }

  /** Ends an answer that would go on. */
  end(): void {
    this.#abort?.abort();
  }

  /** Answers the request. Never rejects. */
  async run(options: ExchangeOptions): Promise<void> {
    try {
      await this.#send(await this.#answer(options), options);
    } catch (error) {
      if (!this.#isClosed && !isAbort(error)) options.logger.error("connection failed", { error });
      this.#response.destroy();
    }
  }

  async #answer(options: ExchangeOptions): Promise<Answer> {
    const url = urlOf(this.#request);
    if (!url.startsWith("/") || !URL.canParse(`https://localhost${url}`)) {
      return failureAnswer(new StatusError("BadRequest", "the request names no path"));
    }
    const [path = ""] = url.split("?", 1);
    const header = (name: string): string | undefined => textHeaderOf(this.#request, name);
    try {
      const user = options.authenticate({ path, header, peer: peerOf(this.#request) });
      return await options.handle(new SocketRequest(this.#request, this, user));
    } catch (error) {
      if (error instanceof StatusError) return failureAnswer(error);
      throw error;
    }
  }

  async #send(answer: Answer, options: ExchangeOptions): Promise<void> {
    if (this.#isClosed) return;
    const { status, headers } = answer;
    const isLast = options.isClosing();
    headers.set("cache-control", "no-cache, private");
    headers.set("audit-id", headerOf(this.#request, "audit-id") ?? randomUUID());
    // What is left of a body that is too large is not waited for.
    if ((isLast || status === 413) && this.#request.httpVersionMajor === 1) headers.set("connection", "close");
    this.#isStreaming = answer.body instanceof ReadableStream;
    await send(this.#response, answer, {
      isHead: this.#request.method === "HEAD",
      acceptEncoding: headerOf(this.#request, "accept-encoding"),
      signal: () => this.signal,
      beforeEnd: this.#isUnread() ? () => discardBody(this.#request, options) : undefined,
    });
    this.#dropRest();
  }

  /** Whether the request was answered before its body was read. */
  #isUnread(): boolean {
    return !BODILESS.has(this.#request.method ?? "GET") && !this.#request.complete && !this.#request.readableEnded;
  }

  /** A body that is longer than what is discarded, or never ends, must not keep its stream open. */
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

/** Node gives each byte of a header as one character. Clients send UTF-8, as those of the real server do. */
function headerOf(request: NodeRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === undefined ? undefined : fromBytes(text).toWellFormed();
}

/** The same for a header that becomes data, such as the name of a user. Throws BadRequest for bytes that are not UTF-8. */
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

/** The path and query. Bytes that should have been percent-encoded are, so that they are read like the others. */
function urlOf(request: NodeRequest): string {
  const { url = "/" } = request;
  return BEYOND_ASCII.test(url)
    ? url.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    : url;
}

function fromBytes(text: string): string {
  return BEYOND_ASCII.test(text) ? decodeUtf8(Buffer.from(text, "latin1")) : text;
}

/** One object for all requests of a connection: over HTTP/2 the socket that a request shows is a new one each time. */
function peerOf(request: NodeRequest): Peer {
  const socket = request instanceof Http2ServerRequest ? request.stream.session?.socket : request.socket;
  // The server takes nothing but TLS.
  return socket as TLSSocket;
}
