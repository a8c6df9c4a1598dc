import { Namespace, realClock, realRandom } from "@levelset/core";
import { randomString } from "@levelset/core/internal";
import type { AnyCustomKind, Fetch, Runnable } from "@levelset/core";
import { faultyFetch } from "@levelset/core/testing";
import type { RunnableHandle } from "@levelset/apiserver/testing";
import { installCrd } from "@levelset/operator";
import { connectSession } from "../test-server.ts";
import type { ServerSession, TestServer } from "../test-server.ts";
import { Cluster } from "./cluster.ts";
import type { ClusterSource } from "./scenario.ts";

/** Longer idle times on a real server reveal little more. */
const REAL_IDLE_MAX_MS = 3_000;
/** A busy machine may take fifteen times as long as the test allows. */
const REAL_TIMEOUT_FACTOR = 15;

/** A server on a socket, the embedded one or kube-apiserver: limits are timeouts. The caller owns the server. */
export class ServerCluster extends Cluster {
  readonly #session: ServerSession;
  readonly #running: (() => Promise<void>)[] = [];

  private constructor(session: ServerSession, namespace: string, processes: Fetch) {
    const faults = faultyFetch(processes, { clock: realClock });
    super({ namespace, fetch: session.world.fetch, faults, timeoutFactor: REAL_TIMEOUT_FACTOR });
    this.#session = session;
  }

  /** Connects with a new namespace. `processes` is the fetch of the processes under test; default: that of the test. */
  static async connect(server: TestServer, processes?: Fetch): Promise<ServerCluster> {
    const session = await connectSession(server);
    const namespace = `scenario-${randomString(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
    const cluster = new ServerCluster(session, namespace, processes ?? session.world.fetch);
    await cluster.client.create(Namespace, { metadata: { name: namespace } });
    return cluster;
  }

  now(): number {
    return realClock.now();
  }

  async install(kind: AnyCustomKind): Promise<void> {
    await installCrd(this.client, kind, this.#session.world);
  }

  start(runnable: Runnable): RunnableHandle {
    const abort = new AbortController();
    const ended = runnable.start({ ...this.#session.world, fetch: this.faults.fetch, signal: abort.signal });
    ended.catch(() => {}); // reported to the caller of stop
    const stop = async (): Promise<void> => {
      abort.abort();
      await ended;
    };
    this.#running.push(stop);
    return { name: runnable.name, stop };
  }

  advanceUntil<T>(promise: Promise<T>): Promise<T> {
    return promise;
  }

  idle(ms: number): Promise<void> {
    return realClock.sleep(Math.min(ms, REAL_IDLE_MAX_MS));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all(this.#running.map((stop) => stop()));
    } finally {
      await this.#session[Symbol.asyncDispose]();
    }
  }
}

/** The scenarios share a server, which is stopped with the suite, and each has its own namespace. */
export function serverClusters(server: TestServer): ClusterSource {
  return {
    open: () => ServerCluster.connect(server),
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
}
