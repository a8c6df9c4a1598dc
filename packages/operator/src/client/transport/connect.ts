import type { IncomingMessage } from "node:http";
import type { Fetch } from "@levelset/core";
import type { ClusterConfig, Credential } from "../config/cluster-config.ts";
import { readChunks, readAll } from "./response-body.ts";
import { fetchFromRaw } from "./raw-fetch.ts";
import type { RawFetch, RawResponse, RawRequest } from "./raw-fetch.ts";
import { describeNetworkError } from "./network-error.ts";
import { ConnectionPool } from "./connection-pool.ts";
import type { PoolResponse } from "./connection-pool.ts";

/** An open connection pool to a cluster. */
export interface Connection {
  readonly fetch: Fetch;
  /** Aborts all requests and closes all sockets. */
  close(): Promise<void>;
}

/**
 * Connects to a cluster with one connection pool; applies TLS and credentials to every request. After a 401 response
 * the credential is replaced and the request is sent once more, because it was not executed. Requests reject with a
 * `TransportError` that explains the network failure, and after `close` at once.
 */
export function connect(access: ClusterConfig): Connection {
  const pools = new Pools(access);
  const raw: RawFetch = async (request) => {
    const credential = await access.credentials.current();
    const response = await exchange(pools, request, credential);
    if (response.status !== 401) return response;
    access.credentials.invalidate(credential);
    const another = await access.credentials.current();
    return isSame(credential, another) ? response : exchange(pools, request, another);
  };
  return { fetch: fetchFromRaw(raw), close: async () => pools.close() };
}

function isSame(one: Credential, other: Credential): boolean {
  return one.token === other.token && one.certificate === other.certificate;
}

async function exchange(pools: Pools, requested: RawRequest, credential: Credential): Promise<RawResponse> {
  const headers: Record<string, string> = { ...requested.headers };
  // Streams are not compressed, because the compressor would delay events.
  if (pools.access.compression && !requested.isStream) headers["accept-encoding"] = "gzip";
  if (credential.token !== undefined) headers["authorization"] = `Bearer ${credential.token}`;
  try {
    const pool = await pools.for(credential);
    return answerOf(await pool.send({ ...requested, path: `${pools.prefix}${requested.path}`, headers }));
  } catch (error) {
    throw describeNetworkError(error, pools.access.server);
  }
}

function answerOf({ head, body }: PoolResponse): RawResponse {
  return {
    status: head.statusCode ?? 0,
    header: (name) => headerOf(head, name),
    headers: () => headersOf(head),
    bytes: async () => {
      const bytes = body ?? (await readAll(head));
      return isZipped(head) ? unzip(bytes) : bytes;
    },
    chunks: () => (body === undefined ? readChunks(head) : only(body)),
  };
}

async function* only(piece: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield piece;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.join(", ");
}

function isZipped(head: IncomingMessage): boolean {
  return headerOf(head, "content-encoding") === "gzip";
}

/** Returns the headers that apply to the decompressed body. */
function headersOf(head: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(head.headers)) {
    if (isZipped(head) && (name === "content-encoding" || name === "content-length")) continue;
    for (const each of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, each);
  }
  return headers;
}

async function unzip(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { gunzip } = await import("node:zlib");
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  gunzip(bytes, (error, unzipped) => (error === null ? resolve(unzipped) : reject(error)));
  return promise;
}

/** Holds the connection pool of one server, and replaces it when the authority or the client certificate changes. */
class Pools {
  readonly access: ClusterConfig;
  /** Path prefix of the server's address, as used by proxies. */
  readonly prefix: string;
  readonly #server: URL;
  readonly #all = new Set<ConnectionPool>();
  #current:
    | { readonly ca: string | undefined; readonly certificate: string | undefined; readonly pool: ConnectionPool }
    | undefined;

  constructor(access: ClusterConfig) {
    this.access = access;
    this.#server = new URL(access.server);
    this.prefix = this.#server.pathname.replace(/\/+$/u, "");
  }

  async for(credential: Credential): Promise<ConnectionPool> {
    const ca = await this.access.ca?.();
    const { certificate } = credential;
    const current = this.#current;
    if (current !== undefined && current.ca === ca && current.certificate === certificate) return current.pool;
    const pool = this.#create(ca, credential);
    this.#current = { ca, certificate, pool };
    this.#all.add(pool);
    current?.pool.retire();
    return pool;
  }

  #create(ca: string | undefined, { certificate, key }: Credential): ConnectionPool {
    const { insecureSkipTlsVerify, serverName, proxy } = this.access;
    const tls = {
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate, key }),
      ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    return new ConnectionPool({ server: this.#server, tls, proxy: proxy === undefined ? undefined : new URL(proxy) });
  }

  close(): void {
    for (const pool of this.#all) pool.close();
  }
}
