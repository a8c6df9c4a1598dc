import { randomBytes } from "node:crypto";
import { createSecureServer } from "node:http2";
import type { Http2SecureServer, SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { realClock, silentLogger } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { ADMIN, authenticator } from "./authentication.ts";
import { ClientAuthority, servingCertificate } from "./certificate.ts";
import type { ClientCertificate, ServingCertificate } from "./certificate.ts";
import type { ApiServer } from "./embedded.ts";
import { Exchange } from "./exchange.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { Traffic } from "./traffic.ts";

/** How a server is put on a socket. */
export interface ListenOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, so that only this machine can connect. */
  readonly host?: string;
  /** More names and addresses that clients use for this server, for its certificate. */
  readonly names?: readonly string[];
  /** The administrator's. Default: 32 random bytes. */
  readonly token?: string;
  readonly logger?: Logger;
  /** For the validity of the certificates and for waiting. Default: the wall clock, for that is what clients go by. */
  readonly clock?: Clock;
  readonly limits?: Partial<ListenLimits>;
}

/** How long and how much a client may take. */
export interface ListenLimits {
  /** For the TLS handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** For all headers of a request (HTTP/1.1). Default 30 s. */
  readonly headersMs: number;
  /** For a whole request, its body included (HTTP/1.1). Default 60 s. */
  readonly requestMs: number;
  /** A connection without requests is closed after this time. Default 3 minutes. */
  readonly idleMs: number;
  /** For the next piece of a body that is discarded because its request is refused. Default 0.5 s. */
  readonly discardMs: number;
  /** For requests that are being answered while the server closes. Default 1 s. */
  readonly graceMs: number;
  /** All headers and the path of a request together. Default 1 MiB, as with the real server. */
  readonly headerBytes: number;
  /** Requests at a time on one connection (HTTP/2). Default 1000. */
  readonly streams: number;
}

/** A server on a socket. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** The authority that clients must trust, in PEM. */
  readonly ca: string;
  /** The administrator's bearer token. Without credentials only /healthz, /livez, /readyz and /version answer. */
  readonly token: string;
  /** A client certificate: who shows it is this user, in these groups. */
  clientCertificate(user: { readonly name: string; readonly groups: readonly string[] }): ClientCertificate;
  /** A kubeconfig of the administrator for kubectl and its like. Default: with the token. */
  kubeconfig(credential?: "token" | "certificate"): string;
  /** How many connections are open. */
  readonly connections: number;
  /**
   * Stops listening, lets requests that are being answered finish for a moment, and ends all connections, also those with running
   * watches. The server itself goes on.
   */
  close(): Promise<void>;
}

/** Enough for the largest object, so that the number of requests at a time is what limits a connection. */
const STREAM_MEMORY_MB = 4;

const DEFAULTS: ListenLimits = {
  handshakeMs: 10_000,
  headersMs: 30_000,
  requestMs: 60_000,
  idleMs: 180_000,
  discardMs: 500,
  graceMs: 1000,
  headerBytes: 1024 * 1024,
  streams: 1000,
};

/** Serves on one TLS port, HTTP/2 and HTTP/1.1, with certificates made for this occasion. */
export async function listen(server: ApiServer, options: ListenOptions = {}): Promise<Listening> {
  const { host = "127.0.0.1", logger = silentLogger, clock = realClock } = options;
  const limits: ListenLimits = { ...DEFAULTS, ...options.limits };
  const token = options.token ?? randomBytes(32).toString("base64url");
  const serving = servingCertificate(clock.now(), [host, ...(options.names ?? [])]);
  const clients = new ClientAuthority(clock.now());
  const authenticate = authenticator({ token, admin: ADMIN, userOfToken: (given) => server.userOfToken(given) });
  const traffic = new Traffic(clock);
  const exchangeOptions = {
    handle: server.handle,
    authenticate,
    logger,
    clock,
    discardMs: limits.discardMs,
    isClosing: () => traffic.isClosing,
  };
  const node = createSecureServer(serverOptions(serving, clients.ca, limits), (request, response) => {
    const exchange = new Exchange(request, response);
    void traffic.follow(exchange, exchange.run(exchangeOptions));
  });
  traffic.connectionsOf(node, limits.idleMs);
  await listening(node, options.port ?? 0, host);
  server.publishCa(serving.ca);
  const { port } = node.address() as AddressInfo; // a TCP server that listens has one
  const url = urlOf(host, port);
  const forget = server.metrics.gauge({
    name: "levelset_connections",
    help: "Connections that are open.",
    read: () => [[`port="${port}"`, traffic.connections]],
  });
  const admin = (): ClientCertificate => clients.issue(ADMIN);
  return {
    url,
    port,
    ca: serving.ca,
    token,
    clientCertificate: (user) => clients.issue(user),
    kubeconfig: (credential = "token") =>
      kubeconfigText({ url, ca: serving.ca, credential: credential === "token" ? { token } : admin() }),
    get connections(): number {
      return traffic.connections;
    },
    close: async () => {
      await traffic.close(node, limits.graceMs);
      forget();
    },
  };
}

/** Where this machine finds the server: one that listens on all addresses is found on the loopback address. */
function urlOf(host: string, port: number): string {
  const address = new Map([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
  ]).get(host);
  const name = address ?? host;
  return `https://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** HTTP/1.1 is an afterthought of this kind of server: its own limits are options that the types do not know. */
function serverOptions(
  { cert, key }: ServingCertificate,
  clientCa: string,
  limits: ListenLimits,
): SecureServerOptions & Record<string, unknown> {
  return {
    cert,
    key,
    allowHTTP1: true,
    // Otherwise the second of two small writes, the first event after the head of a watch, waits 40 ms for the client's word on the first.
    noDelay: true,
    // Asked for, but not needed: who has none may have a token.
    requestCert: true,
    rejectUnauthorized: false,
    ca: clientCa,
    handshakeTimeout: limits.handshakeMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    // Beyond it Node refuses requests and cuts answers off. Its default is 10 MB, three answers of the largest size.
    maxSessionMemory: limits.streams * STREAM_MEMORY_MB,
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes },
  };
}

async function listening(node: Http2SecureServer, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  node.once("error", reject);
  node.listen(port, host, resolve);
  await promise;
  node.off("error", reject);
}
