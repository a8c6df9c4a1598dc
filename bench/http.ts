import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import type { Measurement } from "./report.ts";
import { median } from "./report.ts";

const CHILD = fileURLToPath(new URL("http-process.ts", import.meta.url));
const ROUNDS = 9;
const CONNECTIONS = 8;
const MEGABYTE = Buffer.alloc(1024 * 1024, "x");

interface Load {
  readonly what: string;
  readonly requests: number;
  readonly options: { readonly path: string; readonly method: "GET" | "POST"; readonly body?: Buffer };
}

const LOADS: readonly Load[] = [
  { what: "a small GET", requests: 10_000, options: { path: "/", method: "GET" } },
  { what: "a POST of 1 MB", requests: 200, options: { path: "/", method: "POST", body: MEGABYTE } },
  { what: "a stream of 1,000 events", requests: 20, options: { path: "/events", method: "GET" } },
];

/** CPU time of a server per request; peers take turns, so that all have the same conditions. */
export async function http(args: readonly string[]): Promise<readonly Measurement[]> {
  const hono = args[0] === "--hono" ? args[1] : undefined;
  const peers = ["web", ...(hono === undefined ? [] : ["hono"])];
  const servers = await Promise.all(["ours", ...peers].map((kind) => BenchServer.start(kind, hono ?? "")));
  const figures: Measurement[] = [];
  for (const load of LOADS) {
    const rounds: number[][] = servers.map(() => []);
    for (const server of servers) await server.measure(load); // compiles the code
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, server] of servers.entries()) rounds[index]?.push(await server.measure(load));
    }
    const [ours = Number.NaN, ...others] = rounds.map(median);
    for (const [index, value] of others.entries()) {
      const name = peers[index] === "web" ? "web Request and Response" : "Hono";
      figures.push({ what: load.what, unit: "µs", ours, peer: { name, value } });
    }
  }
  for (const server of servers) await server.close();
  return figures;
}

/** A server in its own process. */
class BenchServer {
  readonly #child: ReturnType<typeof fork>;
  readonly #pool: Pool;

  private constructor(child: ReturnType<typeof fork>, port: number) {
    this.#child = child;
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  }

  static async start(kind: string, directory: string): Promise<BenchServer> {
    const child = fork(CHILD, [kind, directory], { execArgv: ["-C", "levelset-source"] });
    const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
    return new BenchServer(child, port);
  }

  /** Returns the CPU time per request in microseconds. */
  async measure({ requests, options }: Load): Promise<number> {
    const before = await this.#cpu();
    let started = 0;
    const send = async (): Promise<void> => {
      while (started++ < requests) {
        const { statusCode, body } = await this.#pool.request(options);
        await body.dump({ limit: Infinity });
        if (statusCode !== 200) throw new Error(`${options.method} ${options.path}: ${statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return ((await this.#cpu()) - before) / requests;
  }

  async #cpu(): Promise<number> {
    this.#child.send("cpu");
    const [{ user, system }] = (await once(this.#child, "message")) as [NodeJS.CpuUsage];
    return user + system;
  }

  async close(): Promise<void> {
    await this.#pool.close();
    this.#child.disconnect();
    await once(this.#child, "exit");
  }
}
