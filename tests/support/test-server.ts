import { join } from "node:path";
import { createApiServer, listen, MemoryStore } from "@levelset/apiserver";
import type { BuiltinControllerOptions, StoreLimits } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Runnable, World } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { writeFile } from "node:fs/promises";
import { tempDirectory } from "./temp-directory.ts";

/** A server for a contract suite: the embedded server or kube-apiserver. */
export interface TestServer extends AsyncDisposable {
  /** A kubeconfig for it. */
  readonly kubeconfig: string;
}

/** The embedded server, listening with TLS. */
export async function startEmbeddedServer(
  controllers: BuiltinControllerOptions = {},
  limits: Partial<StoreLimits> = {},
): Promise<TestServer> {
  const directory = await tempDirectory();
  const store = new MemoryStore(limits);
  const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger, controllers, store });
  const listening = await listen(server, { port: 0, logger: silentLogger });
  const kubeconfig = join(directory.path, "kubeconfig");
  await writeFile(kubeconfig, listening.kubeconfig());
  return {
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      await listening.close();
      server.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** A connection to a server, and the processes that use it until the end of the test. */
export interface ServerSession extends AsyncDisposable {
  readonly world: World;
  /** Returns the number of requests with this method. */
  count(method: string): number;
  run(runnable: Runnable): void;
}

/** Connects to a server over its socket. */
export async function connectSession(target: TestServer): Promise<ServerSession> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  const stop = new AbortController();
  const methods: string[] = [];
  const running: Promise<void>[] = [];
  const world: World = {
    fetch: (request) => {
      methods.push(request.method);
      return connection.fetch(request);
    },
    clock: realClock,
    random: realRandom,
    logger: silentLogger,
    signal: stop.signal,
  };
  return {
    world,
    count: (method) => methods.filter((seen) => seen === method).length,
    run: (runnable) => running.push(runnable.start(world)),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running);
      await connection.close();
    },
  };
}
