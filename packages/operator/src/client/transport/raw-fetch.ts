import { CLUSTER_ORIGIN, abortable } from "@levelset/core/internal";
import type { Fetch } from "@levelset/core";

/** One request as plain data. */
export interface RawRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the response is a stream and is read incrementally. */
  readonly isStream: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A response. Its body can be read once, with `bytes` or `chunks`. */
export interface RawResponse {
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  headers(): Headers;
  /** Reads the whole body. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Yields the body in chunks. A chunk is valid until the next one is requested. Stopping early closes the connection.
   */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * A fetch without the Request and Response classes of the web platform. In-process servers, fault injection and
 * counters use those classes; without such middleware, creating them is a considerable part of the cost of a small
 * request.
 */
export type RawFetch = (request: RawRequest) => Promise<RawResponse>;

/** A fetch that also offers a raw fetch. */
export interface FetchWithRaw extends Fetch {
  readonly raw: RawFetch;
}

/** Returns the raw fetch of a fetch, or an adapter if it has none. */
export function rawFetchOf(fetch: Fetch): RawFetch {
  return hasRaw(fetch) ? fetch.raw : (request) => requestWithFetch(fetch, request);
}

function hasRaw(fetch: Fetch): fetch is FetchWithRaw {
  return "raw" in fetch;
}

async function requestWithFetch(
  fetch: Fetch,
  { method, path, headers, body, signal }: RawRequest,
): Promise<RawResponse> {
  const request = new Request(`${CLUSTER_ORIGIN}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await abortable(fetch(request), signal);
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    headers: () => response.headers,
    bytes: async () => new Uint8Array(await abortable(response.arrayBuffer(), signal)),
    chunks: () => chunksOf(response, signal),
  };
}

async function* chunksOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const chunk = await abortable(reader.read(), signal);
      if (chunk.done) return;
      yield chunk.value;
    }
  } finally {
    // Cancelling a stream that has ended or failed rejects; that is ignored.
    reader.cancel().catch(() => {});
  }
}

/** Returns a fetch that uses a raw fetch, for middleware that needs Request and Response. */
export function fetchFromRaw(raw: RawFetch): FetchWithRaw {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(request.url);
    const isStream = searchParams.get("watch") === "true" || searchParams.get("follow") === "true";
    const response = await raw({
      method: request.method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : await request.text(),
      isStream,
      signal: request.signal,
    });
    const { status } = response;
    const isEmpty = status === 204 || status === 205 || status === 304;
    const body = isEmpty ? null : isStream ? ReadableStream.from(copied(response.chunks())) : await response.bytes();
    return new Response(body, { status, headers: response.headers() });
  };
  return Object.assign(fetch, { raw });
}

async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield new Uint8Array(piece);
}

/** The request data that middleware receives for both forms. */
export interface RequestInfo {
  readonly method: string;
  readonly signal: AbortSignal | undefined;
}

/** Calls `next`, optionally with another signal, and receives the response. */
export type Middleware = <Answer extends { readonly status: number }>(
  request: RequestInfo,
  next: (signal?: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/** Wraps a fetch, and its raw fetch if there is one, with middleware. */
export function wrapFetch(inner: Fetch, middleware: Middleware): Fetch {
  const fetch: Fetch = (request) =>
    middleware(request, (signal) => inner(signal === undefined ? request : new Request(request, { signal })));
  if (!hasRaw(inner)) return fetch;
  const raw: RawFetch = (request) =>
    middleware(request, (signal) => inner.raw(signal === undefined ? request : { ...request, signal }));
  return Object.assign(fetch, { raw });
}
