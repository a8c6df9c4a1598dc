import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { EnvtestError } from "./errors.ts";

/** Below the ephemeral range, so that the system does not assign these ports to others while a server is down. */
const PORTS = { from: 20_000, to: 32_768 };
const TRIES_MAX = 100;

/**
 * Finds distinct free ports on the loopback address. Another process may take one before it is used, which is unlikely;
 * the caller must be ready to retry.
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

/** Listens on a free port and adds the server to the list. */
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
