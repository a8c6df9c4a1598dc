import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Fetch } from "@levelset/core";
import type { Dispatcher } from "undici";
// Only what a pool needs: the rest of undici, a second fetch above all, takes ten megabytes and 50 ms of every start.
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { ClusterAccess, Credential } from "./access.ts";
import { fetchOf } from "./direct.ts";
import type { Direct, DirectAnswer, DirectRequest } from "./direct.ts";
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
  const direct: Direct = async (request) => {
    const credential = await access.credentials.current();
    const answer = await exchange(pools, request, credential);
    if (answer.status !== 401) return answer;
    access.credentials.reject(credential);
    const another = await access.credentials.current();
    if (isSame(credential, another)) return answer;
    await answer.bytes();
    return exchange(pools, request, another);
  };
  return { fetch: fetchOf(direct), close: () => pools.close() };
}

function isSame(one: Credential, other: Credential): boolean {
  return one.token === other.token && one.certificate === other.certificate;
}

async function exchange(pools: Pools, asked: DirectRequest, credential: Credential): Promise<DirectAnswer> {
  const { method, path, body, isStream, signal } = asked;
  const headers: Record<string, string> = { ...asked.headers };
  // A stream is not compressed, for its events would wait for each other in the compressor.
  if (pools.access.compression && !isStream) headers["accept-encoding"] = "gzip";
  if (credential.token !== undefined) headers["authorization"] = `Bearer ${credential.token}`;
  try {
    const pool = await pools.for(credential);
    const answer = await request.call(pool, {
      origin: pools.origin,
      path: `${pools.prefix}${path}`,
      method,
      headers,
      body: body ?? null,
      signal: signal ?? null,
    });
    return {
      status: answer.statusCode,
      header: (name) => headerOf(answer, name),
      headers: () => headersOf(answer),
      bytes: () => bytesOf(answer),
      chunks: () => answer.body,
    };
  } catch (error) {
    throw explainFailure(error, pools.access.server);
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.join(", ");
}

/** As they are once the body is unzipped. */
function headersOf(answer: Dispatcher.ResponseData): Headers {
  const isZipped = headerOf(answer, "content-encoding") === "gzip";
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (isZipped && (name === "content-encoding" || name === "content-length")) continue;
    for (const each of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, each);
  }
  return headers;
}

const unzip = promisify(gunzip);

async function bytesOf(answer: Dispatcher.ResponseData): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  return headerOf(answer, "content-encoding") === "gzip" ? new Uint8Array(await unzip(bytes)) : bytes;
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
    const limits = { allowH2: false, headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: 0 };
    if (proxy === undefined) return new Agent({ ...limits, connect: tls });
    return new ProxyAgent({ ...limits, uri: proxy, requestTls: tls });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((pool) => pool.destroy()));
  }
}
