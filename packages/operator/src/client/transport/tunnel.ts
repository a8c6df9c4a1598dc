import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Host and port of a server. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Opens a tunnel to a server through an HTTP proxy (CONNECT). Rejects if the proxy refuses, fails or times out. */
export async function tunnel(proxy: URL, to: HostPort, timeoutMs: number): Promise<Socket> {
  const { request } = await import(proxy.protocol === "https:" ? "node:https" : "node:http");
  const path = `${to.host.includes(":") ? `[${to.host}]` : to.host}:${to.port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const requested = request(proxy.origin, {
    method: "CONNECT",
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false,
    timeout: timeoutMs,
  });
  requested.on("error", reject);
  requested.once("timeout", () => requested.destroy(new Error(`the proxy ${proxy.host} does not answer`)));
  requested.once("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
    if (statusCode === 200) {
      socket.setTimeout(0);
      return resolve(socket);
    }
    socket.destroy();
    reject(new Error(`the proxy ${proxy.host} refuses to connect to ${path} (${statusCode})`));
  });
  requested.end();
  return promise;
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
