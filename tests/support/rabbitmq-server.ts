import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../tools/system/program.ts";
import { TestProcess } from "./test-process.ts";
import { tempDirectory } from "./temp-directory.ts";
import { onFreePorts, ServerProcess } from "./server-process.ts";

/** A real RabbitMQ server on the loopback address. */
export interface RabbitmqServer extends AsyncDisposable {
  /** `amqp://…`. */
  readonly url: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with its data. */
  start(): Promise<void>;
}

/** Starts RabbitMQ with its own directory, ports and Erlang port mapper, so that servers do not interfere. */
export async function startRabbitmq(): Promise<RabbitmqServer> {
  const directory = await tempDirectory();
  const cwd = directory.path;
  const { server, mapper, port } = await onFreePorts(3, async ([port = 0, distributionPort = 0, mapperPort = 0]) => {
    await writeFile(join(cwd, "rabbitmq.conf"), configuration(port));
    const mapperArgs = ["-port", `${mapperPort}`, "-address", "127.0.0.1"];
    const mapper = new TestProcess(findProgram("epmd") ?? "epmd", { args: mapperArgs, cwd });
    const server = new ServerProcess(findProgram("rabbitmq-server") ?? "rabbitmq-server", {
      args: [],
      cwd,
      env: environment(cwd, { distributionPort, mapperPort }),
      // Each start has a new output.
      ready: /Server startup complete/u,
    });
    try {
      await server.start();
    } catch (error) {
      await mapper[Symbol.asyncDispose]();
      throw new Error(`RabbitMQ did not start: ${String(error)}\n${mapper.output}`, { cause: error });
    }
    return { server, mapper, port };
  });
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    kill: () => server.kill(),
    start: () => server.start(),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await mapper[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function configuration(port: number): string {
  const lines = [`listeners.tcp.1 = 127.0.0.1:${port}`, "log.console = true", "log.console.level = info"];
  return [...lines, "log.file = false", "disk_free_limit.absolute = 1MB", ""].join("\n");
}

function environment(
  path: string,
  { distributionPort, mapperPort }: { readonly distributionPort: number; readonly mapperPort: number },
): Readonly<Record<string, string>> {
  return {
    HOME: path,
    ERL_EPMD_PORT: `${mapperPort}`,
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_NODENAME: "levelset@localhost",
    RABBITMQ_DIST_PORT: `${distributionPort}`,
    RABBITMQ_MNESIA_BASE: join(path, "data"),
    RABBITMQ_LOG_BASE: join(path, "log"),
    RABBITMQ_PID_FILE: join(path, "pid"),
    RABBITMQ_CONFIG_FILE: join(path, "rabbitmq.conf"),
    RABBITMQ_CONF_ENV_FILE: join(path, "none"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(path, "plugins"),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1} +S 2",
  };
}
