import { realClock } from "@levelset/core";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A client socket and its upstream socket. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy that injects network faults. */
export class FaultyProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  #isRefusing = false;
  #delayMs = 0;
  #isHole = false;
  #connections = 0;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: URL): Promise<FaultyProxy> {
    const proxy = new FaultyProxy({ host: target.hostname, port: Number(target.port) });
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a listening server has an address
  }

  /** Number of connections opened so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Closes all connections. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Rejects new connections while true, and closes existing ones. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
    if (isRefusing) this.cut();
  }

  /** Drops all data while true, on old and new connections. These connections never recover. */
  blackHole(isHole: boolean): void {
    this.#isHole = isHole;
    for (const { client, server } of this.#pairs) {
      if (!isHole) continue;
      client.unpipe(server);
      server.unpipe(client);
      client.resume();
      server.resume();
    }
  }

  /** Delays every chunk to the client. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Removes all faults. */
  heal(): void {
    this.#isRefusing = false;
    this.#isHole = false;
    this.#delayMs = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.cut();
    await promise;
  }

  #join(client: Socket): void {
    this.#connections++;
    client.on("error", () => client.destroy());
    if (this.#isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(this.#target);
    const pair = { client, server };
    this.#pairs.add(pair);
    server.on("error", () => client.destroy());
    client.on("close", () => {
      server.destroy();
      this.#pairs.delete(pair);
    });
    server.on("close", () => client.destroy());
    if (this.#isHole) return;
    client.pipe(server);
    server.on("data", (chunk: Buffer) => this.#forward(pair, chunk));
  }

  #forward({ client, server }: Pair, chunk: Buffer): void {
    if (this.#isHole || client.destroyed) return;
    if (this.#delayMs === 0) {
      if (!client.write(chunk)) {
        server.pause();
        client.once("drain", () => server.resume());
      }
      return;
    }
    // Sequential: the stream is paused while a chunk is delayed.
    server.pause();
    realClock.after(this.#delayMs, () => {
      if (!client.destroyed) client.write(chunk);
      server.resume();
    });
  }
}
