import type { Http2SecureServer, Http2Session, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@levelset/core";
import type { Exchange } from "./exchange.ts";

/** Keeps track of who is connected and what is being answered, so that nothing is left behind. */
export class Traffic {
  readonly #clock: Clock;
  readonly #sessions = new Set<Http2Session>();
  readonly #sockets = new Set<Socket>();
  /** Exchanges that are under way. */
  readonly #running = new Set<Exchange>();
  #isClosing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether connections are to end with the requests that they carry. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Follows the connections of a server. Those without requests are ended after a while. */
  connectionsOf(node: Http2SecureServer, idleMs: number): void {
    node.on("secureConnection", (socket) => {
      keep(this.#sockets, socket);
      bufferWhilePaused(socket);
    });
    node.on("session", (session: ServerHttp2Session) => {
      keep(this.#sessions, session);
      session.setTimeout(idleMs, () => {
        if (![...this.#running].some((exchange) => exchange.session === session)) session.close();
      });
    });
  }

  /** Follows an exchange to its end. */
  async follow(exchange: Exchange, ended: Promise<void>): Promise<void> {
    this.#running.add(exchange);
    await ended;
    this.#running.delete(exchange);
  }

  /** Ends watches at once, and connections when all their other requests are answered, but not later than after `graceMs`. */
  async close(node: Http2SecureServer, graceMs: number): Promise<void> {
    this.#isClosing = true;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    node.close(() => resolve());
    for (const exchange of this.#running) if (exchange.isStreaming) exchange.end();
    const timer = this.#clock.after(graceMs, () => {
      for (const connection of [...this.#sessions, ...this.#sockets]) connection.destroy();
    });
    await closed;
    timer.cancel();
  }
}

/**
 * Node pauses its HTTP/1.1 parser when a request starts before the previous answer is flushed. A TLS handle goes on to deliver the
 * records that are decrypted already, straight to that parser, which fails with HPE_PAUSED and resets the connection. A listener for
 * `data` makes Node read through the stream, which buffers while it is paused. See docs/adr/0026-buffered-requests.md.
 */
function bufferWhilePaused(socket: TLSSocket): void {
  if (socket.alpnProtocol !== "h2") socket.on("data", () => {});
}

function keep<T extends { once(event: "close", listener: () => void): unknown }>(open: Set<T>, item: T): void {
  open.add(item);
  item.once("close", () => open.delete(item));
}
