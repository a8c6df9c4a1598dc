import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { EnvtestError } from "./errors.ts";

/** Below what systems give to connections and to who asks for any port: nobody gets one of these by chance, also while a server is away. */
const PORTS = { from: 20_000, to: 32_768 };
const TRIES_MAX = 100;

/**
 * Finds free ports on the loopback address, all different. Somebody else may take one before it is used, which is unlikely: the caller must be ready
 * to ask again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  try {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await listenSomewhere(servers));
    return ports;
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Listens on a port that was free, which is then among the servers. */
async function listenSomewhere(servers: Server[]): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    try {
      server.listen({ port, host: "127.0.0.1" });
      await once(server, "listening");
      servers.push(server);
      return port;
    } catch {
      // It is taken.
    }
  }
  throw new EnvtestError("There is no free port.");
}
