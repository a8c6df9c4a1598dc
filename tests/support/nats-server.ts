import { findProgram } from "../../tools/system/program.ts";
import { tempDirectory } from "./temp-directory.ts";
import { onFreePorts, ServerProcess } from "./server-process.ts";

/** A real NATS server with JetStream on the loopback address. */
export interface NatsServer extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with its data. */
  start(): Promise<void>;
}

/** Starts a NATS server with its own directory and port. */
export async function startNats(): Promise<NatsServer> {
  const directory = await tempDirectory();
  const { server, address } = await onFreePorts(1, async ([port = 0]) => {
    const args = ["--addr", "127.0.0.1", "--port", `${port}`, "--jetstream", "--store_dir", directory.path];
    const server = new ServerProcess(findProgram("nats-server") ?? "nats-server", {
      args,
      cwd: directory.path,
      ready: /Server is ready/u,
    });
    await server.start();
    return { server, address: `127.0.0.1:${port}` };
  });
  return {
    address,
    kill: () => server.kill(),
    start: () => server.start(),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}
