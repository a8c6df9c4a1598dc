import { realClock } from "@levelset/core";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A pair of sockets that the proxy keeps together. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy that can behave as badly as a network. */
export class Proxy implements AsyncDisposable {
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

  static async start(target: URL): Promise<Proxy> {
    const proxy = new Proxy({ host: target.hostname, port: Number(target.port) });
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens
  }

  /** How many connections were opened through it so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Ends all connections at once. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Accepts no connection while true, and ends those there are. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
    if (isRefusing) this.cut();
  }

  /** Swallows everything without a word while true, on old connections and new ones. Those of that time never recover. */
  hole(isHole: boolean): void {
    this.#isHole = isHole;
    for (const { client, server } of this.#pairs) {
      if (!isHole) continue;
      client.unpipe(server);
      server.unpipe(client);
      client.resume();
      server.resume();
    }
  }

  /** Lets every chunk towards the client wait. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** A network without faults. */
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
    // One after the other: the stream waits while a chunk does.
    server.pause();
    realClock.after(this.#delayMs, () => {
      if (!client.destroyed) client.write(chunk);
      server.resume();
    });
  }
}
