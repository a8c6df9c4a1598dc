import type { Server } from "node:http";
import type { Http2SecureServer, Http2Session, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Clock } from "../time/index.ts";
import type { HttpTransaction } from "./http-transaction.ts";

/** A server of plain HTTP/1.1, or of HTTP/2 and HTTP/1.1 over TLS. */
export type NodeServer = Server | Http2SecureServer;

/** Tracks connections and running requests, so that all are ended on close. */
export class ConnectionTracker {
  readonly #clock: Clock;
  readonly #sessions = new Set<Http2Session>();
  readonly #sockets = new Set<Socket>();
  /** Running requests of each connection. */
  readonly #running = new Map<Http2Session | Socket, Set<HttpTransaction>>();
  #isClosing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether connections end after the current request. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Tracks the connections of a server and closes idle ones. */
  attach(node: NodeServer, { idleMs, isSecure }: { readonly idleMs: number; readonly isSecure: boolean }): void {
    node.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
      this.#keep(this.#sockets, socket);
      if (isSecure) bufferWhilePaused(socket);
    });
    node.on("session", (session: ServerHttp2Session) => {
      this.#keep(this.#sessions, session);
      session.setTimeout(idleMs, () => {
        if (!this.#isBusy(session)) session.close();
      });
    });
  }

  /** Tracks a request until {@link finish}. */
  start(transaction: HttpTransaction): void {
    this.#running.get(transaction.connection)?.add(transaction);
  }

  /** Ends the tracking of a request. */
  finish(transaction: HttpTransaction): void {
    this.#running.get(transaction.connection)?.delete(transaction);
    if (this.#isClosing) this.#endIdle();
  }

  /** Whether a response has begun on a connection. */
  hasResponded(connection: Socket): boolean {
    return [...(this.#running.get(connection) ?? [])].some((transaction) => transaction.hasResponded);
  }

  /** Ends watches at once, and connections after the other requests are finished, at the latest after `graceMs`. */
  async close(node: NodeServer, graceMs: number): Promise<void> {
    this.#isClosing = true;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    node.close(() => resolve());
    for (const transaction of [...this.#running.values()].flatMap((each) => [...each])) {
      if (transaction.isStreaming) transaction.end();
    }
    this.#endIdle();
    const timer = this.#clock.after(graceMs, () => {
      for (const connection of [...this.#sessions, ...this.#sockets]) connection.destroy();
    });
    await closed;
    timer.cancel();
  }

  /** Ends HTTP/1.1 connections without requests. Node ends the sessions of HTTP/2. */
  #endIdle(): void {
    for (const socket of this.#sockets) if (!isHttp2Socket(socket) && !this.#isBusy(socket)) socket.destroySoon();
  }

  #keep<T extends Http2Session | Socket>(open: Set<T>, item: T): void {
    const running = new Set<HttpTransaction>();
    open.add(item);
    this.#running.set(item, running);
    item.once("close", () => {
      open.delete(item);
      // Node does not close the responses that wait for an earlier one on the same connection.
      for (const transaction of running) transaction.close();
      this.#running.delete(item);
    });
  }

  #isBusy(connection: Http2Session | Socket): boolean {
    return (this.#running.get(connection)?.size ?? 0) > 0;
  }
}

/**
 * Node pauses its HTTP/1.1 parser when a request starts before the previous response is flushed. A TLS handle still
 * delivers decrypted records directly to that parser, which fails with HPE_PAUSED and resets the connection. A `data`
 * listener makes Node read through the stream, which buffers while paused. See docs/adr/0026-buffered-requests.md.
 */
function bufferWhilePaused(socket: Socket): void {
  if (!isHttp2Socket(socket)) socket.on("data", () => {});
}

function isHttp2Socket(socket: Socket): boolean {
  return "alpnProtocol" in socket && socket.alpnProtocol === "h2";
}
