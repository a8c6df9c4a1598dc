import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** Stands between a browser and the console, and cuts what passes. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** After how many bytes from the console each connection is cut. */
  cutAfter = Number.POSITIVE_INFINITY;
  /** How many were. */
  cuts = 0;

  private constructor(to: number) {
    this.#server = createServer((browser) => {
      const server = connect(to, "127.0.0.1");
      let passed = 0;
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
        const left = this.cutAfter - passed;
        passed += chunk.length;
        browser.write(chunk.subarray(0, Math.max(0, left)), () => {
          if (passed < this.cutAfter || browser.destroyed) return;
          this.cuts += 1;
          end();
        });
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
