import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A TCP proxy between a browser and the console that cuts connections. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Number of bytes of an event after which its connection is cut; undefined disables it. */
  cutAfter: number | undefined;
  /** Number of connections cut within an event. */
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

  /** Returns a URL of the console with the port of the proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.port = String((this.#server.address() as AddressInfo).port); // address() of a listening TCP server
    return proxied.href;
  }

  /** Cuts all open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
