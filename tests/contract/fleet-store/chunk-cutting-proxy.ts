import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** When to cut: before or after the n-th chunk in one direction is forwarded. */
export interface Cut {
  readonly direction: "to server" | "to client";
  readonly piece: number;
  readonly when: "before" | "after";
}

/** A proxy between a client and a database that cuts connections. */
export class ChunkCuttingProxy implements AsyncDisposable {
  readonly #server = createServer((client) => this.#pass(client));
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  #pieces = 0;

  private constructor(target: number) {
    this.#target = target;
  }

  /** Starts a proxy for a loopback port. */
  static async start(target: number): Promise<ChunkCuttingProxy> {
    const proxy = new ChunkCuttingProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    // A server that listens on a port has an address of this type.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts once, counted from now on. */
  cutOnce(cut: Cut): void {
    this.#cut = cut;
    this.#pieces = 0;
  }

  /** Cancels the cut; returns whether it was still pending. */
  disarm(): boolean {
    const isOpen = this.#cut !== undefined;
    this.#cut = undefined;
    return isOpen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #pass(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    const pipe = (from: Socket, to: Socket, direction: Cut["direction"]): void => {
      this.#sockets.add(from);
      from.on("data", (piece) => {
        const cut = this.#cutOf(direction);
        if (cut !== "before") to.write(piece);
        if (cut === "before") end();
        // Forwarded data arrives, and no response comes back.
        if (cut === "after") to.end(() => end());
      });
      from.on("error", end);
      from.on("close", () => {
        this.#sockets.delete(from);
        end();
      });
    };
    pipe(client, server, "to server");
    pipe(server, client, "to client");
  }

  #cutOf(direction: Cut["direction"]): Cut["when"] | undefined {
    const cut = this.#cut;
    if (cut?.direction !== direction) return undefined;
    this.#pieces += 1;
    if (this.#pieces !== cut.piece) return undefined;
    this.#cut = undefined;
    return cut.when;
  }
}
