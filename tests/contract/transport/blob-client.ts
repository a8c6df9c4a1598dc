import type { BlobWrite, BlobWrites } from "./blob.ts";
import { BLOBS } from "./blob.ts";

/** A server and the administrator's credential. */
export interface BlobServer {
  readonly url: string;
  readonly ca: string;
  readonly caFile: string;
  readonly token: string;
  readonly kubeconfig: string;
}

export type Protocol = "HTTP/1.1" | "HTTP/2";

/**
 * Sends the writes of each object in order and then reads the object, over keep-alive connections. Returns one line for
 * each request that failed or returned another text.
 */
export type BlobClient = (server: BlobServer, blobs: readonly BlobWrites[]) => Promise<readonly string[]>;

/** One HTTP request. */
export interface HttpRequest {
  readonly method: "POST" | "PATCH" | "GET";
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** The text that the response must contain. */
  readonly text: string;
}

/** An HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly protocol: string;
  readonly body: string;
}

/** Returns the requests for one object: its writes, then a read. */
export function requestsOf({ name, writes }: BlobWrites): readonly HttpRequest[] {
  const last = writes.at(-1)?.text ?? "";
  return [...writes.map(writeRequest), { method: "GET", path: `${BLOBS}/${name}`, text: last }];
}

function writeRequest({ verb, name, text }: BlobWrite): HttpRequest {
  if (verb === "patch") {
    const body = JSON.stringify({ spec: { text } });
    return { method: "PATCH", path: `${BLOBS}/${name}`, contentType: "application/merge-patch+json", body, text };
  }
  const object = { apiVersion: "transport.levelset.dev/v1", kind: "Blob", metadata: { name }, spec: { text } };
  return { method: "POST", path: BLOBS, contentType: "application/json", body: JSON.stringify(object), text };
}

/** Returns the headers of a request. */
export function headersOf(server: BlobServer, { contentType }: HttpRequest): Record<string, string> {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  return { authorization: `Bearer ${server.token}`, ...type };
}

/** Returns the problem with a response, or undefined if it is as expected. */
export function faultOf(request: HttpRequest, response: HttpResponse, protocol: Protocol): string | undefined {
  const expected = request.method === "POST" ? 201 : 200;
  if (response.status !== expected) return faultLine(request, `returned status ${response.status}`);
  if (!response.protocol.startsWith(protocol)) return faultLine(request, `used ${response.protocol}`);
  const { spec } = JSON.parse(response.body) as { readonly spec: { readonly text: string } };
  return spec.text === request.text ? undefined : faultLine(request, "returned another text");
}

/** Formats one line about a failed request. */
export function faultLine({ method, path, text }: HttpRequest, problem: string): string {
  return `${method} ${path} with ${text.length} bytes: ${problem}`;
}

/** Processes several objects concurrently, the requests of one object in order. */
export async function runConcurrently(
  blobs: readonly BlobWrites[],
  concurrency: number,
  run: (blob: BlobWrites) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const queue = blobs.values();
  const worker = async (): Promise<void> => {
    for (const blob of queue) faults.push(...(await run(blob)));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return faults;
}

/** Sends the requests of each object one after the other through the given function. */
export async function exchangeAll(
  blobs: readonly BlobWrites[],
  options: { readonly concurrency: number; readonly protocol: Protocol },
  exchange: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<readonly string[]> {
  return runConcurrently(blobs, options.concurrency, async (blob) => {
    const faults: string[] = [];
    for (const request of requestsOf(blob)) {
      try {
        faults.push(
          ...[faultOf(request, await exchange(request), options.protocol)].filter((line) => line !== undefined),
        );
      } catch (error) {
        faults.push(faultLine(request, String(error)));
      }
    }
    return faults;
  });
}
