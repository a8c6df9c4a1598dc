import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** Stands between a browser and the console, and cuts what passes. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** After how many bytes of an event its connection is cut; undefined for not at all. */
  cutAfter: number | undefined;
  /** How many were. */
  cuts = 0;

  private constructor(to: number) {
    this.#server = createServer((browser) => {
      const server = connect(to, "127.0.0.1");
      const end = (): void => {
        browser.destroy();
        server.destroy();
      };
      for (const socket of [browser, server]) {
        this.#sockets.add(socket);
        socket.on("error", end);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          end();
        });
      }
      browser.on("data", (chunk) => server.write(chunk));
      server.on("data", (chunk: Buffer) => {
        const event = chunk.indexOf("\ndata: ");
        if (this.cutAfter === undefined || event === -1) return browser.write(chunk);
        this.cuts += 1;
        return browser.write(chunk.subarray(0, event + this.cutAfter), end);
      });
    });
  }

  static async open(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(url).port));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The same page, through here. */
  through(url: string): string {
    const way = new URL(url);
    way.port = String((this.#server.address() as AddressInfo).port); // a TCP server that listens has one
    return way.href;
  }

  /** Cuts all connections that there are. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
