import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { realClock } from "@levelset/core";

/** Direction of a chunk. */
export type Direction = "to server" | "to client";

/** A single cut of the connection that transfers the n-th chunk in one direction. */
export interface PlannedCut {
  readonly direction: Direction;
  /** Number of the chunk, from 1, over all connections. */
  readonly chunk: number;
  /**
   * `before`: the chunk is lost. `after`: the chunk arrives, nothing else does. `response`: the chunk arrives and is
   * answered, and the response is lost.
   */
  readonly when: "before" | "after" | "response";
}

/** A client socket and its upstream socket. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Whether all data is dropped. */
  isDead: boolean;
  /** The direction whose next chunk is lost with the connection. */
  doomed: Direction | undefined;
}

/** A TCP proxy on loopback that injects network faults. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links = new Set<Link>();
  readonly #server: Server;
  #isRefusing = false;
  #isHole = false;
  #delayMs = 0;
  #connections = 0;
  #cuts = 0;
  #planned: PlannedCut | undefined;
  #chunks = 0;
  #inside: { readonly text: string; readonly offset: number } | undefined;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** Starts a proxy of a port on loopback, or of the host of a URL. */
  static async start(target: number | URL): Promise<TcpProxy> {
    const host = typeof target === "number" ? "127.0.0.1" : target.hostname;
    const proxy = new TcpProxy({ host, port: typeof target === "number" ? target : Number(target.port) });
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a listening server has an address of this type
  }

  /** Number of connections opened so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Number of connections that are open. */
  get openConnections(): number {
    return this.#links.size;
  }

  /** Number of connections cut within their data. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Returns a URL with the port of the proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.port = String(this.port);
    return proxied.href;
  }

  /** Closes all connections. */
  cut(): void {
    for (const link of this.#links) end(link);
  }

  /** Cuts one connection, with chunks counted from now on. */
  cutOnce(planned: PlannedCut): void {
    this.#planned = planned;
    this.#chunks = 0;
  }

  /** Cancels {@link cutOnce}; returns whether its chunk has not been sent. */
  disarm(): boolean {
    const isPending = this.#planned !== undefined;
    this.#planned = undefined;
    return isPending;
  }

  /** Cuts every connection that sends a text to the client, that many bytes after its start; undefined ends it. */
  cutInside(inside: { readonly text: string; readonly offset: number } | undefined): void {
    this.#inside = inside;
  }

  /** Closes new connections at once while true, and existing ones. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
    if (isRefusing) this.cut();
  }

  /** Drops all data while true, on old and new connections. These connections never recover. */
  blackHole(isHole: boolean): void {
    this.#isHole = isHole;
    for (const link of this.#links) link.isDead ||= isHole;
  }

  /** Delays every chunk to the client. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Removes all lasting faults. */
  heal(): void {
    this.#isRefusing = false;
    this.#isHole = false;
    this.#delayMs = 0;
    this.#inside = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #accept(client: Socket): void {
    this.#connections += 1;
    if (this.#isRefusing) {
      client.on("error", () => {});
      client.destroy();
      return;
    }
    const link: Link = { client, server: connect(this.#target), isDead: this.#isHole, doomed: undefined };
    this.#links.add(link);
    this.#pipe(link, link.client, link.server, "to server");
    this.#pipe(link, link.server, link.client, "to client");
  }

  #pipe(link: Link, from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (chunk: Buffer) => {
      if (link.isDead || to.destroyed) return;
      if (link.doomed === direction) return this.#cutLink(link);
      const forwarded = this.#forwarded(link, chunk, direction);
      if (forwarded === undefined) this.#transfer(from, to, chunk, direction);
      else {
        link.isDead = true;
        // Closed in an orderly way, so that the forwarded part arrives.
        if (forwarded.length > 0) to.end(forwarded, () => this.#cutLink(link));
        else this.#cutLink(link);
      }
    });
    // The close event that follows ends the other half.
    from.on("error", () => {});
    from.on("close", () => {
      this.#links.delete(link);
      to.destroySoon(); // after the data that is still buffered
    });
  }

  /** Returns the part of a chunk after which the connection is cut; undefined if it is not cut here. */
  #forwarded(link: Link, chunk: Buffer, direction: Direction): Buffer | undefined {
    const at = direction === "to client" && this.#inside !== undefined ? chunk.indexOf(this.#inside.text) : -1;
    if (this.#inside !== undefined && at !== -1) return chunk.subarray(0, at + this.#inside.offset);
    if (this.#planned?.direction !== direction) return undefined;
    this.#chunks += 1;
    if (this.#chunks !== this.#planned.chunk) return undefined;
    const { when } = this.#planned;
    this.#planned = undefined;
    if (when === "response") link.doomed = direction === "to server" ? "to client" : "to server";
    if (when === "response") return undefined;
    return when === "before" ? chunk.subarray(0, 0) : chunk;
  }

  #transfer(from: Socket, to: Socket, chunk: Buffer, direction: Direction): void {
    if (direction === "to server" || this.#delayMs === 0) {
      if (to.write(chunk)) return;
      from.pause();
      to.once("drain", () => from.resume());
      return;
    }
    // Sequential: the stream is paused while a chunk is delayed.
    from.pause();
    realClock.after(this.#delayMs, () => {
      if (!to.destroyed) to.write(chunk);
      from.resume();
    });
  }

  #cutLink(link: Link): void {
    this.#cuts += 1;
    end(link);
  }
}

function end({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}
