import type { IncomingMessage } from "node:http";
import type { Fetch } from "@levelset/core";
import type { ClusterAccess, Credential } from "./access.ts";
import { piecesOf, wholeOf } from "./body.ts";
import { fetchOf } from "./direct.ts";
import type { Direct, DirectAnswer, DirectRequest } from "./direct.ts";
import { explainFailure } from "./network-failure.ts";
import { Pool } from "./pool.ts";
import type { PoolAnswer } from "./pool.ts";

/** An open way to a cluster. */
export interface Connection {
  readonly fetch: Fetch;
  /** Ends all requests and closes all sockets. */
  close(): Promise<void>;
}

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
    return isSame(credential, another) ? answer : exchange(pools, request, another);
  };
  return { fetch: fetchOf(direct), close: async () => pools.close() };
}

function isSame(one: Credential, other: Credential): boolean {
  return one.token === other.token && one.certificate === other.certificate;
}

async function exchange(pools: Pools, asked: DirectRequest, credential: Credential): Promise<DirectAnswer> {
  const headers: Record<string, string> = { ...asked.headers };
  // A stream is not compressed, for its events would wait for each other in the compressor.
  if (pools.access.compression && !asked.isStream) headers["accept-encoding"] = "gzip";
  if (credential.token !== undefined) headers["authorization"] = `Bearer ${credential.token}`;
  try {
    const pool = await pools.for(credential);
    return answerOf(await pool.send({ ...asked, path: `${pools.prefix}${asked.path}`, headers }));
  } catch (error) {
    throw explainFailure(error, pools.access.server);
  }
}

function answerOf({ head, body }: PoolAnswer): DirectAnswer {
  return {
    status: head.statusCode ?? 0,
    header: (name) => headerOf(head, name),
    headers: () => headersOf(head),
    bytes: async () => {
      const bytes = body ?? (await wholeOf(head));
      return isZipped(head) ? unzip(bytes) : bytes;
    },
    chunks: () => (body === undefined ? piecesOf(head) : only(body)),
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

/** As they are once the body is unzipped. */
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

/** The pool of connections to one server: a new one whenever the authority or our certificate is replaced. */
class Pools {
  readonly access: ClusterAccess;
  /** The path that the server's address ends with, as those of proxies do. */
  readonly prefix: string;
  readonly #server: URL;
  readonly #all = new Set<Pool>();
  #current:
    | { readonly ca: string | undefined; readonly certificate: string | undefined; readonly pool: Pool }
    | undefined;

  constructor(access: ClusterAccess) {
    this.access = access;
    this.#server = new URL(access.server);
    this.prefix = this.#server.pathname.replace(/\/+$/u, "");
  }

  async for(credential: Credential): Promise<Pool> {
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

  #create(ca: string | undefined, { certificate, key }: Credential): Pool {
    const { skipVerification, serverName, proxy } = this.access;
    const tls = {
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate, key }),
      ...(skipVerification ? { rejectUnauthorized: false } : {}),
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    return new Pool({ server: this.#server, tls, proxy: proxy === undefined ? undefined : new URL(proxy) });
  }

  close(): void {
    for (const pool of this.#all) pool.close();
  }
}
