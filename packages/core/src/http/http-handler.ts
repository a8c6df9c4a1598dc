import type { Socket } from "node:net";
import type { Fetch } from "../world/index.ts";

/**
 * The part of a request that servers read. A web `Request` satisfies it. The listener passes its own implementation,
 * which costs a fraction of a web `Request`: see `docs/adr/0039-http-module.md`.
 */
export interface HttpRequest {
  readonly method: string;
  /** Absolute URL, whose origin is ignored. A listener passes an invalid target on: parse it with `requestUrl`. */
  readonly url: string;
  /** Names are case-insensitive. Repeated headers are joined. Bytes that are not UTF-8 become lone surrogates. */
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Aborts when the client no longer waits for the response, or when the server closes while it sends a stream. */
  readonly signal: AbortSignal;
  /** Identical for all requests of one connection. Absent for callers in this process. */
  readonly socket?: Socket;
}

/** Text, chunks of a text too large to join, bytes, or a stream whose chunks are sent as they arrive. */
export type HttpBody = string | readonly string[] | Uint8Array<ArrayBuffer> | AsyncIterable<string | Uint8Array> | null;

/** A response. A web `Response` satisfies it. */
export interface HttpResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Iterable<readonly [name: string, value: string | readonly string[]]>;
  readonly body: HttpBody;
  /** Aborts when the connection must be closed at once, for example because its reader is too slow. */
  readonly abort?: AbortSignal;
}

/**
 * A server as a function. A rejection is logged and becomes a response with status 500 and without the error's text.
 */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** Returns a response with the given headers, names in lower case. */
export function httpResponse(
  status: number,
  body: HttpBody,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers: Object.entries(headers), body };
}

/** Whether a body is sent as it arrives. */
export function isStream(body: HttpBody): body is AsyncIterable<string | Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Origin of the URLs of requests that arrive at a listener. */
const ORIGIN = "http://localhost";

/** Returns the URL of a request target. */
export function targetUrl(target: string): string {
  // Proxies send absolute URLs.
  return target.startsWith("/") ? ORIGIN + target : target;
}

/** Returns the URL of a request; null if the client sent an invalid target. */
export function requestUrl({ url }: Pick<HttpRequest, "url">): URL | null {
  return URL.parse(url.startsWith(`${ORIGIN}/`) ? url.slice(ORIGIN.length) : url, ORIGIN);
}

/** Adapts a handler to `fetch`, the interface of callers in this process. */
export function toFetch(handle: HttpHandler): Fetch {
  return async (request) => {
    const { status, headers, body } = await handle(request);
    const sent = new Headers();
    for (const [name, value] of headers) for (const each of [value].flat()) sent.append(name, each);
    // These responses must not have a body, not even an empty one.
    const hasBody = request.method !== "HEAD" && status !== 204 && status !== 304;
    return new Response(hasBody ? webBody(body) : null, { status, headers: sent });
  };
}

function webBody(body: HttpBody): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (body instanceof ReadableStream) return body as ReadableStream<Uint8Array>; // HttpBody admits only bytes and text
  if (isStream(body)) return ReadableStream.from(encoded(body));
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array) ? body.join("") : body;
}

async function* encoded(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}
