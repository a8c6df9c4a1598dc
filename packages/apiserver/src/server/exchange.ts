import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { isAbort } from "@levelset/core";
import type { Fetch, Logger } from "@levelset/core";

/** A request as either version of HTTP brings it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** Where its answer goes. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Headers that describe one connection and mean nothing beyond it. */
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "http2-settings", "host"]);

/**
 * Answers a request from a socket through a fetch function. The body of the answer is read only as fast as the client takes
 * it, and the request's signal aborts when the client goes away.
 */
export async function answerNode(
  fetch: Fetch,
  request: NodeRequest,
  response: NodeResponse,
  logger: Logger,
): Promise<void> {
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  // A client that goes away while we write is its own affair.
  response.on("error", () => abort.abort());
  const incoming = toRequest(request, abort.signal);
  if (incoming === undefined) {
    response.statusCode = 400;
    response.end();
    return;
  }
  try {
    const answer = await fetch(incoming);
    writeHead(response, answer);
    if (request.method === "HEAD" || answer.body === null) {
      await answer.body?.cancel();
      response.end();
      return;
    }
    await writeBody(response, answer.body, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted && !isAbort(error)) logger.error("connection failed", { error });
    response.destroy();
  }
}

/** Undefined for a request that no server can understand: a path that is none, a method that is forbidden. */
function toRequest(request: NodeRequest, signal: AbortSignal): Request | undefined {
  const method = request.method ?? "GET";
  const url = `https://localhost${request.url ?? "/"}`;
  if (!METHODS.has(method) || !URL.canParse(url)) return undefined;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(":") || HOP_BY_HOP.has(name) || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  // Node's own stream types differ from the global ones in name only.
  const body = hasBody ? (Readable.toWeb(request) as ReadableStream<Uint8Array>) : null;
  return new Request(url, { method, headers, signal, body, ...(hasBody ? { duplex: "half" } : {}) });
}

function writeHead(response: NodeResponse, answer: Response): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  // A watch may be silent for long: its client must know at once that it began.
  if ("flushHeaders" in response) response.flushHeaders();
  else response.writeHead(answer.status);
}

async function writeBody(response: NodeResponse, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const onAbort = (): void => {
    // Lets go of a watch at once, also while nothing is being read.
    reader.cancel().catch(() => {});
  };
  signal.addEventListener("abort", onAbort, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!write(response, value)) await drained(response, signal);
    if (signal.aborted) return;
  }
  signal.removeEventListener("abort", onAbort);
  response.end();
}

function write(response: NodeResponse, chunk: Uint8Array): boolean {
  // Both kinds of response have this method; their overloads do not unite.
  return (response as ServerResponse).write(chunk);
}

async function drained(response: NodeResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
