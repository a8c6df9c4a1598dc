import type { Http2SecureServer, Http2Session, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@levelset/core";
import type { HttpTransaction } from "./http-transaction.ts";

/** Tracks connections and running requests, so that all are ended on close. */
export class ConnectionTracker {
  readonly #clock: Clock;
  readonly #sessions = new Set<Http2Session>();
  readonly #sockets = new Set<Socket>();
  /** Running requests. */
  readonly #running = new Set<HttpTransaction>();
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
  attach(node: Http2SecureServer, idleMs: number): void {
    node.on("secureConnection", (socket) => {
      keep(this.#sockets, socket);
      bufferWhilePaused(socket);
    });
    node.on("session", (session: ServerHttp2Session) => {
      keep(this.#sessions, session);
      session.setTimeout(idleMs, () => {
        if (![...this.#running].some((transaction) => transaction.session === session)) session.close();
      });
    });
  }

  /** Tracks a request until it ends. */
  async track(transaction: HttpTransaction, ended: Promise<void>): Promise<void> {
    this.#running.add(transaction);
    await ended;
    this.#running.delete(transaction);
  }

  /** Ends watches at once, and connections after the other requests are finished, at the latest after `graceMs`. */
  async close(node: Http2SecureServer, graceMs: number): Promise<void> {
    this.#isClosing = true;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    node.close(() => resolve());
    for (const transaction of this.#running) if (transaction.isStreaming) transaction.end();
    const timer = this.#clock.after(graceMs, () => {
      for (const connection of [...this.#sessions, ...this.#sockets]) connection.destroy();
    });
    await closed;
    timer.cancel();
  }
}

/**
 * Node pauses its HTTP/1.1 parser when a request starts before the previous response is flushed. A TLS handle still
 * delivers decrypted records directly to that parser, which fails with HPE_PAUSED and resets the connection. A `data`
 * listener makes Node read through the stream, which buffers while paused. See docs/adr/0026-buffered-requests.md.
 */
function bufferWhilePaused(socket: TLSSocket): void {
  if (socket.alpnProtocol !== "h2") socket.on("data", () => {});
}

function keep<T extends { once(event: "close", listener: () => void): unknown }>(open: Set<T>, item: T): void {
  open.add(item);
  item.once("close", () => open.delete(item));
}
