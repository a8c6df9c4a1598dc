import { connect as connectHttp2 } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { realClock, realRandom } from "@levelset/core";
import { Client, connect, loadKubeconfig } from "@levelset/operator";
import { Agent } from "undici";
import { Blob } from "./blob.ts";
import type { BlobWrites } from "./blob.ts";
import { exchangeAll, headersOf, runConcurrently } from "./blob-client.ts";
import type { BlobClient, BlobServer, HttpResponse, HttpRequest, Protocol } from "./blob-client.ts";

/** Concurrent objects. Over HTTP/1.1 each has its own connection, so that every connection carries many requests. */
const CONCURRENCY = 4;

/** The client of `@levelset/operator`, over HTTP/1.1. */
export const ownClient: BlobClient = async (server, blobs) => {
  const connection = connect(await loadKubeconfig(server.kubeconfig));
  const retry = { clock: realClock, random: realRandom };
  const client = new Client({ fetch: connection.fetch, fieldManager: "transport", retry });
  const faults = await runConcurrently(blobs, CONCURRENCY, (blob) => ownRequests(client, blob));
  await connection.close();
  return faults;
};

async function ownRequests(client: Client, { name, writes }: BlobWrites): Promise<readonly string[]> {
  const key = { namespace: "default", name };
  const faults: string[] = [];
  const check = async (verb: string, text: string, sent: Promise<{ spec: { text: string } }>): Promise<void> => {
    const problem = await sent.then(
      ({ spec }) => (spec.text === text ? undefined : "returned another text"),
      (error: unknown) => String(error),
    );
    if (problem !== undefined) faults.push(`${verb} ${name} with ${text.length} bytes: ${problem}`);
  };
  for (const { verb, text } of writes) {
    if (verb === "create") await check(verb, text, client.create(Blob, { metadata: key, spec: { text } }));
    else await check(verb, text, client.mergePatch(Blob, key, { spec: { text } }));
  }
  await check("get", writes.at(-1)?.text ?? "", client.get(Blob, key));
  return faults;
}

/** undici limits the pending bodies of one HTTP/2 connection to 10 MB, without an option for more. */
const UNDICI_HTTP2_CONCURRENCY = 2;

/** undici, over either protocol. */
export function undiciClient(protocol: Protocol): BlobClient {
  return async (server, blobs) => {
    const agent = new Agent({
      allowH2: protocol === "HTTP/2",
      connections: protocol === "HTTP/2" ? 1 : CONCURRENCY,
      connect: { ca: server.ca },
    });
    const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
      const { method, path, body = null } = request;
      const headers = headersOf(server, request);
      const response = await agent.request({ origin: server.url, method, path, headers, body });
      // undici does not report the protocol of a response.
      return { status: response.statusCode, protocol, body: await response.body.text() };
    };
    const concurrency = protocol === "HTTP/2" ? UNDICI_HTTP2_CONCURRENCY : CONCURRENCY;
    const faults = await exchangeAll(blobs, { concurrency, protocol }, exchange);
    await agent.close();
    return faults;
  };
}

/** Node's default of 10 MB is less than the concurrent objects need. */
const SESSION_MEMORY_MB = 100;

/** Node's HTTP/2 client: one connection for all requests. */
export const http2Client: BlobClient = async (server, blobs) => {
  const session = connectHttp2(server.url, { ca: server.ca, maxSessionMemory: SESSION_MEMORY_MB });
  const lost: string[] = [];
  session.on("error", (error) => lost.push(String(error)));
  const options = { concurrency: CONCURRENCY, protocol: "HTTP/2" } as const;
  const faults = await exchangeAll(blobs, options, (request) => http2Exchange(session, server, request));
  session.close();
  return [...lost, ...faults];
};

async function http2Exchange(
  session: ClientHttp2Session,
  server: BlobServer,
  request: HttpRequest,
): Promise<HttpResponse> {
  const stream = session.request({
    ":method": request.method,
    ":path": request.path,
    ...headersOf(server, request),
  });
  stream.end(request.body);
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  let status = 0;
  let body = "";
  // Node discards data without a listener once the stream is closed, so all listeners are attached at the start.
  stream.setEncoding("utf8");
  stream.on("response", (headers) => (status = headers[":status"] ?? 0));
  stream.on("data", (piece: string) => (body += piece));
  stream.on("end", () => resolve({ status, protocol: "HTTP/2", body }));
  stream.on("error", reject);
  stream.on("close", () => reject(new Error("the stream was closed")));
  return promise;
}
