import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Fetch } from "@levelset/core";
import { Agent, ProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import type { ClusterAccess, Credential } from "./access.ts";
import { explainFailure } from "./network-failure.ts";

/** An open way to a cluster. */
export interface Connection {
  readonly fetch: Fetch;
  /** Ends all requests and closes all sockets. */
  close(): Promise<void>;
}

/** Long enough for a slow API server to begin to answer; watches answer at once and then stay open without limit. */
const HEADERS_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to a cluster: one pool of connections, TLS and credentials applied to every request. A refused credential is replaced
 * and the request sent once more, for it was not carried out.
 */
export function connect(access: ClusterAccess): Connection {
  const pools = new Pools(access);
  return {
    fetch: async (request) => {
      const body = request.body === null ? null : await request.text();
      const credential = await access.credentials.current();
      const response = await exchange(pools, request, body, credential);
      if (response.status !== 401) return response;
      access.credentials.reject(credential);
      const another = await access.credentials.current();
      if (isSame(credential, another)) return response;
      return exchange(pools, request, body, another);
    },
    close: () => pools.close(),
  };
}

function isSame(one: Credential, other: Credential): boolean {
  return one.token === other.token && one.certificate === other.certificate;
}

async function exchange(
  pools: Pools,
  request: Request,
  body: string | null,
  credential: Credential,
): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  if (pools.access.compression) headers["accept-encoding"] = "gzip";
  if (credential.token !== undefined) headers["authorization"] = `Bearer ${credential.token}`;
  try {
    const pool = await pools.for(credential);
    const answer = await pool.request({
      origin: pools.origin,
      path: `${pools.prefix}${pathname}${search}`,
      method: request.method,
      headers,
      body,
      signal: request.signal,
    });
    const isStream = searchParams.get("watch") === "true" || searchParams.get("follow") === "true";
    return await toResponse(answer, isStream);
  } catch (error) {
    throw explainFailure(error, pools.access.server);
  }
}

const unzip = promisify(gunzip);

/** What has an end is read whole, which is several times cheaper than a web stream. */
async function toResponse(answer: Dispatcher.ResponseData, isStream: boolean): Promise<Response> {
  const { statusCode: status } = answer;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const each of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, each);
  }
  // Node's own stream types differ from the global ones in name only.
  if (isStream) return new Response(Readable.toWeb(answer.body) as ReadableStream<Uint8Array>, { status, headers });
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  const isEmpty = status === 204 || status === 205 || status === 304;
  if (headers.get("content-encoding") !== "gzip") return new Response(isEmpty ? null : bytes, { status, headers });
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(new Uint8Array(await unzip(bytes)), { status, headers });
}

/** The pool of connections to one server: a new one whenever the authority or our certificate is replaced. */
class Pools {
  readonly access: ClusterAccess;
  readonly origin: string;
  /** The path that the server's address ends with, as those of proxies do. */
  readonly prefix: string;
  #current:
    | { readonly ca: string | undefined; readonly certificate: string | undefined; readonly pool: Dispatcher }
    | undefined;
  readonly #open = new Set<Dispatcher>();

  constructor(access: ClusterAccess) {
    this.access = access;
    const { origin, pathname } = new URL(access.server);
    this.origin = origin;
    this.prefix = pathname.replace(/\/+$/u, "");
  }

  async for(credential: Credential): Promise<Dispatcher> {
    const ca = await this.access.ca?.();
    const { certificate } = credential;
    const current = this.#current;
    if (current !== undefined && current.ca === ca && current.certificate === certificate) return current.pool;
    const pool = this.#create(ca, credential);
    this.#current = { ca, certificate, pool };
    this.#open.add(pool);
    if (current !== undefined) this.#retire(current.pool);
    return pool;
  }

  /** Lets its running requests end, then closes its sockets. */
  #retire(pool: Dispatcher): void {
    void pool.close().finally(() => this.#open.delete(pool));
  }

  #create(ca: string | undefined, { certificate, key }: Credential): Dispatcher {
    const { skipVerification, serverName, proxy } = this.access;
    const tls = {
      timeout: CONNECT_TIMEOUT_MS,
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate, key }),
      ...(skipVerification ? { rejectUnauthorized: false } : {}),
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    // A watch may be silent for minutes; its own deadline ends it.
    const limits = { headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: 0 };
    if (proxy === undefined) return new Agent({ ...limits, connect: tls });
    return new ProxyAgent({ ...limits, uri: proxy, requestTls: tls });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((pool) => pool.destroy()));
  }
}
