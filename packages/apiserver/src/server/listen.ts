import { randomBytes } from "node:crypto";
import { realClock, silentLogger } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { listenHttp } from "@levelset/core/http";
import type { HttpLimits } from "@levelset/core/http";
import { ADMIN_USER, createRequestAuthenticator } from "./authentication.ts";
import { ClientAuthority, servingCertificate } from "./certificate.ts";
import type { ClientCertificate } from "./certificate.ts";
import type { ApiServer } from "./api-server.ts";
import { COMPRESSION } from "./gzip.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { socketHandler } from "./socket-handler.ts";

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
  /** Default: those of `HttpLimits`, with headers up to 1 MiB. */
  readonly limits?: Partial<HttpLimits>;
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

/** Like Go's net/http. */
const HEADER_BYTES = 1024 * 1024;

/**
 * Listens on one TLS port with HTTP/2 and HTTP/1.1 and newly issued certificates. Rejects if the port cannot be bound.
 */
export async function listen(server: ApiServer, options: ListenOptions = {}): Promise<ListeningServer> {
  const { host = "127.0.0.1", logger = silentLogger, clock = realClock } = options;
  const token = options.token ?? randomBytes(32).toString("base64url");
  const serving = servingCertificate(clock.now(), [host, ...(options.names ?? [])]);
  const clients = new ClientAuthority(clock.now());
  const authenticate = createRequestAuthenticator({
    token,
    admin: ADMIN_USER,
    authenticateToken: (other) => server.authenticateToken(other),
  });
  const listener = await listenHttp(socketHandler({ handle: server.handler, authenticate }), {
    host,
    port: options.port ?? 0,
    tls: { ...serving, clientCa: clients.ca },
    limits: { headerBytes: HEADER_BYTES, ...options.limits },
    compression: COMPRESSION,
    logger,
    clock,
  });
  server.publishCa(serving.ca);
  const { url, port } = listener;
  const forget = server.metrics.addGauge({
    name: "levelset_connections",
    help: "Open connections.",
    read: () => [[`port="${port}"`, listener.connections]],
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
      return listener.connections;
    },
    close: async () => {
      await listener.close();
      forget();
    },
  };
}
