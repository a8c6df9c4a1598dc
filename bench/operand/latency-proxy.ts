import { once } from "node:events";
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { ServerAccess } from "../apiserver-client.ts";

/** Starts a proxy that delays every byte by half of the round-trip time, in either direction. */
export async function withLatency(server: ServerAccess, roundTripMs: number): Promise<ServerAccess & AsyncDisposable> {
  const { hostname, port } = new URL(server.url);
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      sockets.add(from);
      from.on("data", (chunk) => later(roundTripMs / 2, () => to.write(chunk)));
      from.on("close", () => later(roundTripMs / 2, () => to.destroy()));
      // The other side of a broken connection is closed right after.
      from.on("error", () => {});
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    ...server,
    url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** Timers of equal length fire in the order of their creation, so the order of bytes is preserved. */
function later(ms: number, run: () => void): void {
  setTimeout(run, ms);
}
