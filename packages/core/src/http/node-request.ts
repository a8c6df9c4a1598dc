import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { Socket } from "node:net";
import { decodeUtf8 } from "../json/index.ts";
import { targetUrl } from "./http-handler.ts";
import type { HttpRequest } from "./http-handler.ts";

/** A request of HTTP/1.1 or HTTP/2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** Whether a request arrived over HTTP/2. A check by class would load Node's HTTP/2 module in every server. */
export function isHttp2(request: NodeRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

/** Methods without a request body. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request may have a body. */
export function hasBody({ method = "GET" }: NodeRequest): boolean {
  return !BODILESS.has(method);
}

/** Adapts a Node request to handlers. */
export class SocketRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly #request: NodeRequest;
  readonly #signal: () => AbortSignal;

  constructor(request: NodeRequest, signal: () => AbortSignal) {
    this.method = request.method ?? "GET";
    this.url = targetUrl(targetOf(request));
    this.headers = { get: (name) => headerOf(request, name.toLowerCase()) ?? null };
    this.body = hasBody(request) ? request : null;
    this.#request = request;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }

  /** Over HTTP/2 each request has its own proxy of the socket, so that of the session is returned. */
  get socket(): Socket {
    const { socket } = this.#request;
    return isHttp2(this.#request) ? (this.#request.stream.session?.socket ?? socket) : socket;
  }
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** Node decodes header bytes as latin1. Clients and gateways send UTF-8. */
export function headerOf(request: NodeRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text !== undefined && BEYOND_ASCII.test(text) ? decodeUtf8(Buffer.from(text, "latin1")) : text;
}

/** Returns path and query. Raw non-ASCII bytes are percent-encoded, so that they are decoded like the others. */
function targetOf({ url = "/" }: NodeRequest): string {
  return BEYOND_ASCII.test(url)
    ? url.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    : url;
}
