import { CLUSTER_ORIGIN } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { abortable } from "./abortable.ts";

/** One request, ready to be sent, in plain data. */
export interface DirectRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the answer is read as it comes, for it has no end. */
  readonly isStream: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What came of it. It is read once, by one of its two ways. */
export interface DirectAnswer {
  readonly status: number;
  /** By its name in small letters. */
  header(name: string): string | undefined;
  headers(): Headers;
  /** The whole answer. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Piece by piece, each good until the next is asked for. Who stops early lets go of the connection. */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * The seam without the web's Request and Response. Those are for everybody who stands in between: servers in the same process, faults,
 * fences, counters. Where nobody does, they would be made only to be taken apart again, which is a good part of what a small request costs.
 */
export type Direct = (request: DirectRequest) => Promise<DirectAnswer>;

/** A fetch that can be had directly too. */
export interface DirectFetch extends Fetch {
  readonly direct: Direct;
}

/** The direct way behind a fetch; around it where it has none. */
export function directOf(fetch: Fetch): Direct {
  return isDirect(fetch) ? fetch.direct : (request) => askFetch(fetch, request);
}

function isDirect(fetch: Fetch): fetch is DirectFetch {
  return "direct" in fetch;
}

async function askFetch(fetch: Fetch, { method, path, headers, body, signal }: DirectRequest): Promise<DirectAnswer> {
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
    // A stream that already ended or failed has nothing to cancel.
    reader.cancel().catch(() => {});
  }
}

/** The fetch of a direct way, for those who stand in between. */
export function fetchOf(direct: Direct): DirectFetch {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(request.url);
    const isStream = searchParams.get("watch") === "true" || searchParams.get("follow") === "true";
    const answer = await direct({
      method: request.method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : await request.text(),
      isStream,
      signal: request.signal,
    });
    const { status } = answer;
    const isEmpty = status === 204 || status === 205 || status === 304;
    const body = isEmpty ? null : isStream ? ReadableStream.from(copied(answer.chunks())) : await answer.bytes();
    return new Response(body, { status, headers: answer.headers() });
  };
  return Object.assign(fetch, { direct });
}

async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield new Uint8Array(piece);
}

/** A request that passes by, in what both ways know of it. */
export interface Passing {
  readonly method: string;
  readonly signal: AbortSignal | undefined;
}

/** Lets a request go on, with another signal where one is given, and sees what comes back. */
export type Pass = <Answer extends { readonly status: number }>(
  passing: Passing,
  goOn: (signal?: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/** A fetch with somebody in between, who stands in the direct way too where there is one. */
export function wrapFetch(inner: Fetch, pass: Pass): Fetch {
  const fetch: Fetch = (request) =>
    pass(request, (signal) => inner(signal === undefined ? request : new Request(request, { signal })));
  if (!isDirect(inner)) return fetch;
  const direct: Direct = (request) =>
    pass(request, (signal) => inner.direct(signal === undefined ? request : { ...request, signal }));
  return Object.assign(fetch, { direct });
}
