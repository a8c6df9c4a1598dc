import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** When a connection is cut: before the server hears of a message, or after it has answered and before the client hears of that. */
export type CutMoment = "before" | "after";

/** Stands between a client and a server and cuts their connection at a chosen message. */
export class CutProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #armed: { readonly at: number; readonly moment: CutMoment } | undefined;
  #seen = 0;
  /** Whether the chosen message has come. */
  hasCut = false;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => this.#serve(client, connect(target)));
  }

  static async start(target: { readonly host: string; readonly port: number }): Promise<CutProxy> {
    const proxy = new CutProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    // A server that listens on a port has an address of this form.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts at the message of that number, from now on, once. */
  arm(at: number, moment: CutMoment): void {
    this.#armed = { at, moment };
    this.#seen = 0;
    this.hasCut = false;
  }

  disarm(): void {
    this.#armed = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket, upstream: Socket): void {
    const cut = (): void => {
      this.hasCut = true;
      client.destroy();
      upstream.destroy();
    };
    let isAnswerCut = false;
    client.on("data", (chunk) => {
      const moment = this.#momentOf();
      if (moment === "before") return cut();
      if (moment === "after") isAnswerCut = true;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => (isAnswerCut ? cut() : client.write(chunk)));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(one);
      // Its other half is told by the close that follows.
      one.on("error", () => {});
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  #momentOf(): CutMoment | undefined {
    if (this.#armed === undefined) return undefined;
    this.#seen += 1;
    if (this.#seen !== this.#armed.at) return undefined;
    const { moment } = this.#armed;
    this.#armed = undefined;
    return moment;
  }
}
