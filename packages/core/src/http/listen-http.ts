import type { AddressInfo } from "node:net";
import { InputError, toError } from "../error/index.ts";
import { silentLogger } from "../log/index.ts";
import type { Logger } from "../log/index.ts";
import { realClock } from "../time/index.ts";
import type { Clock } from "../time/index.ts";
import { clientErrorKind, endWithResponse } from "./client-error.ts";
import type { ClientErrorResponder } from "./client-error.ts";
import { ConnectionTracker } from "./connection-tracker.ts";
import type { NodeServer } from "./connection-tracker.ts";
import type { HttpHandler } from "./http-handler.ts";
import { HTTP_LIMITS, serverOptions } from "./http-limits.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpTransaction } from "./http-transaction.ts";
import type { NodeRequest } from "./node-request.ts";
import type { Compression, NodeResponse } from "./send-response.ts";

/** Address to listen on. */
export interface ListenAddress {
  /** Default 127.0.0.1, so that only this machine can connect. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
}

/** Certificates of a TLS listener, in PEM. */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  /** CA of client certificates. They are requested, but optional: clients without one may have a token. */
  readonly clientCa: string;
}

/** Options of {@link listenHttp}. */
export interface HttpListenerOptions extends ListenAddress {
  /** Serves HTTP/2 and HTTP/1.1 over TLS. Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions;
  readonly limits?: Partial<HttpLimits>;
  /** Default: responses are not compressed. */
  readonly compression?: Compression;
  /** Returns the response to requests that cannot be read. Default: that of Node, which has no body. */
  readonly clientError?: ClientErrorResponder;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** An open port. */
export interface HttpListener {
  /** URL for clients on this machine. */
  readonly url: string;
  readonly port: number;
  /** Number of open connections. */
  readonly connections: number;
  /** Stops listening, ends streams, waits briefly for other requests, and closes all connections. */
  close(): Promise<void>;
}

/** Serves a handler on a port. Rejects with an `InputError` if the port is not available. */
export async function listenHttp(handler: HttpHandler, options: HttpListenerOptions): Promise<HttpListener> {
  const { host = "127.0.0.1", port, tls, logger = silentLogger, clock = realClock, compression } = options;
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  const traffic = new ConnectionTracker(clock);
  const isClosing = (): boolean => traffic.isClosing;
  const transactionOptions = { handler, logger, clock, discardMs: limits.discardMs, compression, isClosing };
  const server = await createNodeServer(tls, limits, (request, response) => {
    const transaction = new HttpTransaction(request, response, (ended) => traffic.finish(ended));
    traffic.start(transaction);
    void transaction.run(transactionOptions);
  });
  traffic.attach(server, { idleMs: limits.idleMs, isSecure: tls !== undefined });
  if (limits.socketMs > 0) server.setTimeout(limits.socketMs);
  if (limits.connections !== Infinity) server.maxConnections = limits.connections;
  if (options.clientError !== undefined) await respondToClientErrors(server, traffic, options.clientError);
  await bind(server, host, port);
  const address = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `${tls === undefined ? "http" : "https"}://${hostForClients(host)}:${address.port}`,
    port: address.port,
    get connections(): number {
      return traffic.connections;
    },
    close: () => traffic.close(server, limits.graceMs),
  };
}

/**
 * Loads Node's module on demand: that of HTTP/1.1 also loads the platform's fetch, and that of HTTP/2 is needed for TLS
 * only.
 */
async function createNodeServer(
  tls: TlsOptions | undefined,
  limits: HttpLimits,
  onRequest: (request: NodeRequest, response: NodeResponse) => void,
): Promise<NodeServer> {
  const options = serverOptions(limits);
  if (tls === undefined) return (await import("node:http")).createServer(options, onRequest);
  const { cert, key, clientCa: ca } = tls;
  const secure = { cert, key, ca, requestCert: true, rejectUnauthorized: false, allowHTTP1: true };
  return (await import("node:http2")).createSecureServer({ ...options, ...secure }, onRequest);
}

async function respondToClientErrors(
  server: NodeServer,
  traffic: ConnectionTracker,
  respond: ClientErrorResponder,
): Promise<void> {
  const { STATUS_CODES } = await import("node:http");
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A second response would corrupt one that has begun.
    if (!socket.writable || error.code === "ECONNRESET" || traffic.hasResponded(socket)) {
      socket.destroy();
      return;
    }
    const response = respond(clientErrorKind(error));
    endWithResponse(socket, response, STATUS_CODES[response.status]);
  });
}

async function bind(server: NodeServer, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw new InputError(`cannot listen on ${host}:${port}: ${toError(error).message}`, {
      hint: "choose another port, or stop the process that uses this one",
      cause: error,
    });
  }
  server.off("error", reject);
}

/** Returns the host of the URL for local clients. A wildcard address is replaced by the loopback address. */
function hostForClients(host: string): string {
  const wildcards: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const name = wildcards[host] ?? host;
  return name.includes(":") ? `[${name}]` : name;
}
