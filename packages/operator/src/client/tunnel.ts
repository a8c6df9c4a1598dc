import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A connection of our own to a server, made by an HTTP proxy on the way. */
export async function tunnel(proxy: URL, to: Address, timeoutMs: number): Promise<Socket> {
  const { request } = await import(proxy.protocol === "https:" ? "node:https" : "node:http");
  const path = `${to.host.includes(":") ? `[${to.host}]` : to.host}:${to.port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const asked = request(proxy.origin, {
    method: "CONNECT",
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false,
    timeout: timeoutMs,
  });
  asked.on("error", reject);
  asked.once("timeout", () => asked.destroy(new Error(`the proxy ${proxy.host} does not answer`)));
  asked.once("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
    if (statusCode === 200) {
      socket.setTimeout(0);
      return resolve(socket);
    }
    socket.destroy();
    reject(new Error(`the proxy ${proxy.host} refuses to connect to ${path} (${statusCode})`));
  });
  asked.end();
  return promise;
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
