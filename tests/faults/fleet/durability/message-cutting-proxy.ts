import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/**
 * When a connection is cut: before the server receives a message, or after its response and before the client receives
 * it.
 */
export type CutTiming = "before" | "after";

/** Proxy between a client and a server that cuts the connection at a chosen message. */
export class MessageCuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #armed: { readonly at: number; readonly timing: CutTiming } | undefined;
  #count = 0;
  /** Whether the chosen message has arrived. */
  hasCut = false;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => this.#serve(client, connect(target)));
  }

  static async start(target: { readonly host: string; readonly port: number }): Promise<MessageCuttingProxy> {
    const proxy = new MessageCuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    // The address of a listening TCP server has this form.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Arms a single cut at the message of that number, counted from now. */
  arm(at: number, timing: CutTiming): void {
    this.#armed = { at, timing };
    this.#count = 0;
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
      const timing = this.#timingOf();
      if (timing === "before") return cut();
      if (timing === "after") isAnswerCut = true;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => (isAnswerCut ? cut() : client.write(chunk)));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(one);
      // The close event that follows closes the other half.
      one.on("error", () => {});
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  #timingOf(): CutTiming | undefined {
    if (this.#armed === undefined) return undefined;
    this.#count += 1;
    if (this.#count !== this.#armed.at) return undefined;
    const { timing } = this.#armed;
    this.#armed = undefined;
    return timing;
  }
}
