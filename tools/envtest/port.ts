import { once } from "node:events";
import { createServer } from "node:net";
import { EnvtestError } from "./errors.ts";

/**
 * Asks the system for free ports on the loopback address, all different. Somebody else may take one before it is
 * used: the caller must be ready to ask again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(async (server) => {
        server.listen({ port: 0, host: "127.0.0.1" });
        await once(server, "listening");
        const address = server.address();
        if (address === null || typeof address === "string") throw new EnvtestError("The system gave no port.");
        return address.port;
      }),
    );
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
