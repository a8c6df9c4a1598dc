import { fileURLToPath } from "node:url";
import { createApiServer } from "@levelset/apiserver";
import { startConsole } from "@levelset/console";
import type { ConsoleOptions, Processes, RunningConsole } from "@levelset/console";
import { formatKey, realClock, realRandom, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import type { FleetClient, FleetCollection, WireResource } from "@levelset/fleet/client";
import { Client, installCrd, manager, operandOperators } from "@levelset/operator";
import type { RunsJson } from "@levelset/operator/internal";
import { eventually } from "../../support/eventually.ts";
import { Fleet, MEMORY_STORE } from "../../support/fleet/fleet.ts";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import { buildWeb } from "../../../tools/build/web.ts";

const DEBUG_TOKEN = "debug";
const PACKAGE = fileURLToPath(new URL("../../../packages/console", import.meta.url));

/** Options of {@link ConsoleHarness}. */
export interface ConsoleHarnessOptions {
  readonly allowActions?: boolean;
  readonly operators?: boolean;
  readonly token?: string;
}

/** A cluster with operators and a fleet in this process, and a console that can be restarted. */
export class ConsoleHarness implements AsyncDisposable {
  readonly client: Client;
  readonly fleet: FleetClient;
  readonly clusters: FleetCollection;
  /** Replaces the responses of the cluster to the console while it is set. */
  outage: (() => Promise<Response>) | undefined;
  readonly #close: () => Promise<void>;
  readonly #options: ConsoleOptions;
  #console: RunningConsole | undefined;

  private constructor(parts: {
    readonly fetch: Fetch;
    readonly fleet: FleetClient;
    readonly processes: Processes;
    readonly allowActions: boolean;
    readonly token: string;
    readonly close: () => Promise<void>;
  }) {
    const { fetch, fleet, processes, allowActions } = parts;
    this.#close = parts.close;
    this.client = new Client({ fetch, fieldManager: "test" });
    this.fleet = fleet;
    this.clusters = fleet.collection({ kind: "Cluster", plural: "clusters" });
    this.#options = {
      cluster: {
        fetch: (request) => this.outage?.() ?? fetch(request),
        access: { server: "https://cluster.test", context: "test" },
      },
      fleet,
      processes,
      allowActions,
      port: 0,
      token: parts.token,
      clock: realClock,
      random: realRandom,
      logger: silentLogger,
    };
  }

  /** Opens a harness. Without operators, objects are not reconciled. */
  static async open(options: ConsoleHarnessOptions = {}): Promise<ConsoleHarness> {
    const { allowActions = false, operators: isRunning = true, token = "token" } = options;
    await buildPages();
    const world = { clock: realClock, random: realRandom, logger: silentLogger };
    const stop = new AbortController();
    const { signal } = stop;
    const server = createApiServer({ ...world, controllers: { workloads: true, serviceAccounts: true } });
    const listening = Promise.withResolvers<string>();
    const operators = manager([simple, ...operandOperators()], {
      installCrds: true,
      endpoints: { port: 0, debugToken: DEBUG_TOKEN },
      onEndpoints: listening.resolve,
    });
    const client = new Client({ fetch: server.fetch, fieldManager: "test" });
    for (const kind of operators.kinds ?? []) await installCrd(client, kind, { clock: realClock, signal });
    const running = isRunning ? operators.start({ ...world, fetch: server.fetch, signal }) : undefined;
    const fleet = await Fleet.open({ ...world, store: MEMORY_STORE, kinds: readKinds(DEFAULT_ENTITIES) });
    const close = async (): Promise<void> => {
      stop.abort();
      await running;
      await fleet[Symbol.asyncDispose]();
      server.close();
    };
    const processes = isRunning ? processesAt(await listening.promise) : NO_PROCESSES;
    return new ConsoleHarness({ fetch: server.fetch, fleet: fleet.client, processes, allowActions, token, close });
  }

  /** Starts the console, on its previous port if it ran before, and returns its URL. */
  async start(): Promise<string> {
    const port = this.#console === undefined ? 0 : Number(new URL(this.#console.url).port);
    this.#console = await startConsole({ ...this.#options, port });
    return this.#console.url;
  }

  /** Stops the console. */
  async stop(): Promise<void> {
    await this.#console?.[Symbol.asyncDispose]();
  }

  /** Creates a Simple, which becomes Ready unless its divisor is 0. */
  async createSimple(name: string, divisor: number): Promise<void> {
    await this.client.create(Simple, { metadata: { namespace: "default", name }, spec: { dividend: 10, divisor } });
  }

  /** Changes the divisor of a Simple. */
  async divideBy(name: string, divisor: number): Promise<void> {
    await this.client.mergePatch(Simple, { namespace: "default", name }, { spec: { divisor } });
  }

  /** Waits until the status of Ready for the latest generation of a Simple matches. */
  async until(name: string, matches: (status: string) => boolean): Promise<void> {
    const key = { namespace: "default", name };
    await eventually(`${name} has the expected status`, async () => {
      const { metadata, status } = await this.client.get(Simple, key);
      const ready = status?.conditions?.find(({ type }) => type === "Ready");
      return ready?.observedGeneration === metadata.generation && matches(ready?.status ?? "");
    });
  }

  /** Creates a cluster resource in the fleet. */
  async createCluster(name: string): Promise<WireResource> {
    return (await this.clusters.create({ name, spec: { region: "eu" }, labels: { shard: name.slice(-1) } })).resource;
  }

  /** Sends the report of an adapter: success or failure. */
  async report({ id, generation }: WireResource, adapter: string, isDone: boolean): Promise<void> {
    const status = isDone ? "True" : "False";
    const reason = isDone ? "Done" : "NoQuota";
    await this.clusters.report(id, {
      adapter,
      observed_generation: generation,
      observed_time: new Date(realClock.now()).toISOString(),
      conditions: ["Available", "Applied", "Health"].map((type) => ({ type, status, reason, message: reason })),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#close();
  }
}

/** Builds the pages of the console if they are out of date. */
export async function buildPages(): Promise<void> {
  await buildWeb(PACKAGE, { force: false });
}

/** No operator processes. */
const NO_PROCESSES: Processes = {
  runs: () => Promise.resolve({ responses: [], unreachable: [] }),
  metrics: () => Promise.resolve(undefined),
};

/** The required adapters of clusters. */
export const ADAPTERS: readonly string[] =
  readKinds(DEFAULT_ENTITIES).all.find(({ plural }) => plural === "clusters")?.requiredAdapters ?? [];

/** Queries the debug endpoints of a process. */
function processesAt(url: string): Processes {
  return {
    runs: async (key, signal) => {
      const path = new URL("/debug/runs", url);
      if (key !== undefined) path.searchParams.set("object", formatKey(key));
      const response = await fetch(path, { headers: { authorization: `Bearer ${DEBUG_TOKEN}` }, signal });
      return {
        responses: [{ title: "operators of the test", url, ...((await response.json()) as RunsJson) }],
        unreachable: [],
      };
    },
    metrics: async (_, signal) => (await fetch(new URL("/metrics", url), { signal })).text(),
  };
}
