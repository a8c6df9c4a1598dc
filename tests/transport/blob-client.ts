import type { BlobWrite, BlobWrites } from "./blob.ts";
import { BLOBS } from "./blob.ts";

/** A server, and the administrator's credential for it. */
export interface BlobServer {
  readonly url: string;
  readonly ca: string;
  readonly caFile: string;
  readonly token: string;
  readonly kubeconfig: string;
}

export type Protocol = "HTTP/1.1" | "HTTP/2";

/**
 * Sends the writes of each object in order and then reads the object, over connections that are kept between requests. Returns one
 * line for each request that failed or whose answer holds another text.
 */
export type BlobClient = (server: BlobServer, blobs: readonly BlobWrites[]) => Promise<readonly string[]>;

/** One request in the terms of HTTP. */
export interface HttpRequest {
  readonly method: "POST" | "PATCH" | "GET";
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** The text that the answer must hold. */
  readonly text: string;
}

/** The answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly protocol: string;
  readonly body: string;
}

/** The requests for one object: its writes, then a read. */
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

/** The headers of a request. */
export function headersOf(server: BlobServer, { contentType }: HttpRequest): Record<string, string> {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  return { authorization: `Bearer ${server.token}`, ...type };
}

/** What is wrong with an answer; undefined if it is the one that the request must get. */
export function faultOf(request: HttpRequest, answer: HttpAnswer, protocol: Protocol): string | undefined {
  const expected = request.method === "POST" ? 201 : 200;
  if (answer.status !== expected) return faultLine(request, `answered with ${answer.status}`);
  if (!answer.protocol.startsWith(protocol)) return faultLine(request, `answered over ${answer.protocol}`);
  const { spec } = JSON.parse(answer.body) as { readonly spec: { readonly text: string } };
  return spec.text === request.text ? undefined : faultLine(request, "answered with another text");
}

/** One line about a request that failed. */
export function faultLine({ method, path, text }: HttpRequest, problem: string): string {
  return `${method} ${path} with ${text.length} bytes: ${problem}`;
}

/** Runs the work of several objects at a time, the requests of one object in order. */
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

/** A client that sends one request after the other for each object, by the exchange that it is given. */
export async function exchangeAll(
  blobs: readonly BlobWrites[],
  options: { readonly concurrency: number; readonly protocol: Protocol },
  exchange: (request: HttpRequest) => Promise<HttpAnswer>,
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
