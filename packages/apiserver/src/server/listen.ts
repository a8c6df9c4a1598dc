import { randomBytes } from "node:crypto";
import { createSecureServer } from "node:http2";
import type { Http2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { realClock, silentLogger } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { answerNode } from "./adapter.ts";
import { withToken } from "./authentication.ts";
import { servingCertificate } from "./certificate.ts";
import type { ApiServer } from "./embedded.ts";
import { kubeconfigText } from "./kubeconfig.ts";

/** How a server is put on a socket. */
export interface ListenOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, so that only this machine can connect. */
  readonly host?: string;
  /** Default: 32 random bytes. */
  readonly token?: string;
  readonly logger?: Logger;
  /** For the validity of the certificate. Default: the wall clock, for that is what clients go by. */
  readonly clock?: Clock;
}

/** A server on a socket. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** The authority that clients must trust, in PEM. */
  readonly ca: string;
  /** What clients must show. Without it only /healthz, /livez, /readyz and /version answer. */
  readonly token: string;
  /** A kubeconfig for kubectl and its like. */
  kubeconfig(): string;
  /** Stops listening and ends all connections, also those with running watches. The server itself goes on. */
  close(): Promise<void>;
}

/** Serves on one TLS port, HTTP/2 and HTTP/1.1, with certificates made for this occasion. */
export async function listen(server: ApiServer, options: ListenOptions = {}): Promise<Listening> {
  const { host = "127.0.0.1", logger = silentLogger, clock = realClock } = options;
  const token = options.token ?? randomBytes(32).toString("base64url");
  const { ca, cert, key } = servingCertificate(clock.now(), [host]);
  const fetch = withToken(server.fetch, token);
  const sessions = new Set<Http2Session>();
  const sockets = new Set<Socket>();
  const node = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    void answerNode(fetch, request, response, logger);
  });
  node.on("session", (session) => track(sessions, session));
  node.on("secureConnection", (socket) => track(sockets, socket));
  await listening(node, options.port ?? 0, host);
  const { port } = node.address() as AddressInfo; // a TCP server that listens has one
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    url,
    port,
    ca,
    token,
    kubeconfig: () => kubeconfigText({ url, ca, token }),
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      node.close(() => resolve());
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await promise;
    },
  };
}

function track<T extends { once(event: "close", listener: () => void): unknown }>(open: Set<T>, item: T): void {
  open.add(item);
  item.once("close", () => open.delete(item));
}

async function listening(node: ReturnType<typeof createSecureServer>, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  node.once("error", reject);
  node.listen(port, host, resolve);
  await promise;
  node.off("error", reject);
}
