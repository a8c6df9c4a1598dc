import { randomBytes } from "node:crypto";
import { createSecureServer } from "node:http2";
import type { Http2SecureServer, SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { realClock, silentLogger } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { ADMIN_USER, createRequestAuthenticator } from "./authentication.ts";
import { ClientAuthority, servingCertificate } from "./certificate.ts";
import type { ClientCertificate, ServingCertificate } from "./certificate.ts";
import type { ApiServer } from "./api-server.ts";
import { HttpTransaction } from "./http-transaction.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { ConnectionTracker } from "./connection-tracker.ts";

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1, so that only this machine can connect. */
  readonly host?: string;
  /** Additional host names and addresses for the certificate. */
  readonly names?: readonly string[];
  /** Token of the administrator. Default: 32 random bytes. */
  readonly token?: string;
  readonly logger?: Logger;
  /**
   * Clock for certificate validity and timeouts. Default: the wall clock, because clients use it to check certificates.
   */
  readonly clock?: Clock;
  readonly limits?: Partial<ListenLimits>;
}

/** Timeouts and limits of clients. */
export interface ListenLimits {
  /** Timeout of the TLS handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** Timeout of the request headers (HTTP/1.1). Default 30 s. */
  readonly headersMs: number;
  /** Timeout of a whole request including its body (HTTP/1.1). Default 60 s. */
  readonly requestMs: number;
  /** Timeout of connections without requests. Default 3 minutes. */
  readonly idleMs: number;
  /** Timeout for the next chunk of the discarded body of a rejected request. Default 0.5 s. */
  readonly discardMs: number;
  /** Grace period of running requests while the server closes. Default 1 s. */
  readonly graceMs: number;
  /** Maximum size of headers and path. Default 1 MiB, like Go's net/http. */
  readonly headerBytes: number;
  /** Maximum concurrent requests per connection (HTTP/2). Default 1000. */
  readonly streams: number;
}

/** A listening server. */
export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** CA certificate in PEM. */
  readonly ca: string;
  /**
   * Bearer token of the administrator. Requests without credentials may read only /healthz, /livez, /readyz and
   * /version.
   */
  readonly token: string;
  /** Issues a client certificate for a user and groups. */
  clientCertificate(user: { readonly name: string; readonly groups: readonly string[] }): ClientCertificate;
  /** Returns a kubeconfig of the administrator. Default: with the token. */
  kubeconfig(credential?: "token" | "certificate"): string;
  /** Number of open connections. */
  readonly connections: number;
  /**
   * Stops listening, waits briefly for running requests, and closes all connections, including those with watches. The
   * API server itself keeps running.
   */
  close(): Promise<void>;
}

/** Large enough for the largest object, so that the number of concurrent requests is the limit of a connection. */
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

/**
 * Listens on one TLS port with HTTP/2 and HTTP/1.1 and newly issued certificates. Rejects if the port cannot be bound.
 */
export async function listen(server: ApiServer, options: ListenOptions = {}): Promise<ListeningServer> {
  const { host = "127.0.0.1", logger = silentLogger, clock = realClock } = options;
  const limits: ListenLimits = { ...DEFAULTS, ...options.limits };
  const token = options.token ?? randomBytes(32).toString("base64url");
  const serving = servingCertificate(clock.now(), [host, ...(options.names ?? [])]);
  const clients = new ClientAuthority(clock.now());
  const authenticate = createRequestAuthenticator({
    token,
    admin: ADMIN_USER,
    authenticateToken: (other) => server.authenticateToken(other),
  });
  const traffic = new ConnectionTracker(clock);
  const transactionOptions = {
    handle: server.handler,
    authenticate,
    logger,
    clock,
    discardMs: limits.discardMs,
    isClosing: () => traffic.isClosing,
  };
  const node = createSecureServer(serverOptions(serving, clients.ca, limits), (request, response) => {
    const transaction = new HttpTransaction(request, response);
    void traffic.track(transaction, transaction.run(transactionOptions));
  });
  traffic.attach(node, limits.idleMs);
  await listening(node, options.port ?? 0, host);
  server.publishCa(serving.ca);
  const { port } = node.address() as AddressInfo; // a listening TCP server has one
  const url = urlOf(host, port);
  const forget = server.metrics.addGauge({
    name: "levelset_connections",
    help: "Open connections.",
    read: () => [[`port="${port}"`, traffic.connections]],
  });
  const admin = (): ClientCertificate => clients.issue(ADMIN_USER);
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

/** Returns the URL for local clients. A wildcard address is replaced by the loopback address. */
function urlOf(host: string, port: number): string {
  const address = new Map([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
  ]).get(host);
  const name = address ?? host;
  return `https://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Node's HTTP/2 server accepts the limits of HTTP/1.1 as options that its types omit. */
function serverOptions(
  { cert, key }: ServingCertificate,
  clientCa: string,
  limits: ListenLimits,
): SecureServerOptions & Record<string, unknown> {
  return {
    cert,
    key,
    allowHTTP1: true,
    // Without it, the second of two small writes (the first event after the head of a watch) waits 40 ms for the
    // acknowledgement of the first.
    noDelay: true,
    // Requested, but optional: clients without a certificate may have a token.
    requestCert: true,
    rejectUnauthorized: false,
    ca: clientCa,
    handshakeTimeout: limits.handshakeMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    // Above it Node rejects requests and truncates responses. Its default is 10 MB, which is three responses of the
    // largest size.
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
