import { silentLogger, TransportError } from "@levelset/core";
import type { Fetch, JsonObject } from "@levelset/core";
import { untilIdle, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { FleetApi } from "../api/index.ts";
import { FleetClient } from "../client/index.ts";
import type { FleetCollection, WireAdapterStatus, WireResource } from "../client/index.ts";
import { readKinds } from "../resource/index.ts";
import { Fleet } from "../service/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { PulseHandler } from "./serve/index.ts";
import type { StepAdapter } from "./step-adapter/index.ts";
import { ExpressionCompiler } from "./expression/index.ts";
import { ApiCaller } from "./run/index.ts";
import { taskHandler } from "./serve/index.ts";
import { taskFilesIn, readTask } from "./task/index.ts";
import { KubernetesTransport } from "./transport/index.ts";
import { parseYaml } from "./yaml.ts";
import { StepAdapterServer } from "./step-adapter/index.ts";

/** Options of {@link AdapterHarness}. */
export interface AdapterHarnessOptions {
  readonly workloads?: boolean;
  /** Names of the adapters that the kind Cluster requires. */
  readonly adapters?: readonly string[];
}

/**
 * An in-memory fleet, an in-memory cluster and one adapter, driven by one virtual clock. Tests send pulses explicitly.
 */
export class AdapterHarness implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly clusters: FleetCollection;
  readonly requests: string[] = [];
  /** Whether requests to the fleet API fail with a network error. */
  isApiDown = false;
  /**
   * Fault injected into the adapter's cluster requests: an HTTP status, or a network error. Watches are not affected
   * unless `isTotal`.
   */
  clusterFault: { readonly status: number | "unreachable"; readonly path: RegExp; readonly isTotal?: true } | undefined;
  /** The adapter's requests to the cluster, excluding watches and discovery: `PATCH /api/v1/…`. */
  readonly clusterRequests: string[] = [];
  #watches = new AbortController();
  readonly #store: FleetStore;
  readonly #api: FleetApi;
  readonly #client: FleetClient;
  #work: PulseHandler | undefined;
  #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  private constructor(cluster: TestCluster, store: FleetStore, adapters: readonly string[]) {
    this.cluster = cluster;
    this.#store = store;
    const { clock } = cluster;
    const kinds = readKinds([{ kind: "Cluster", plural: "clusters", required_adapters: adapters }]);
    const parts = { store, kinds, clock, random: seededRandom(3), logger: silentLogger };
    this.#api = new FleetApi({ ...parts, fleet: new Fleet(parts), port: 0, version: "test" });
    this.#client = new FleetClient({ url: "http://fleet.test", fetch: this.#apiFetch, clock, random: seededRandom(4) });
    this.clusters = this.#client.collection({ kind: "Cluster", plural: "clusters" });
  }

  static async open({ workloads = true, adapters = ["network"] }: AdapterHarnessOptions = {}): Promise<AdapterHarness> {
    const cluster = await testCluster({ workloads });
    const world = { clock: cluster.clock, random: seededRandom(2), logger: silentLogger };
    return new AdapterHarness(cluster, await openStore({ kind: "sqlite", path: ":memory:" }, world), adapters);
  }

  /** Starts an adapter. A previously started adapter is stopped first and loses its in-memory state. */
  async start(adapter: StepAdapter): Promise<void> {
    await this.end();
    this.#stop = new AbortController();
    const { clock } = this.cluster;
    const options = {
      adapter,
      fleet: this.#client,
      fetch: this.#fetch,
      clock,
      random: seededRandom(5),
      logger: silentLogger,
    };
    const server = new StepAdapterServer(options);
    this.#work = server.handlePulse;
    this.#ended = server.run(this.#stop.signal);
    await this.untilIdle();
  }

  /** Starts an adapter configured in YAML. `readText` reads the files that the configuration names. */
  async startTask(name: string, content: JsonObject, readText: (path: string) => string = () => ""): Promise<void> {
    await this.end();
    const { clock } = this.cluster;
    const random = seededRandom(6);
    const cache = new Cache({ fetch: this.#fetch, clock, random, logger: silentLogger });
    const api = new ApiCaller({
      baseUrl: "http://fleet.test",
      version: "v1",
      headers: {},
      token: async () => undefined,
      timeoutMs: 10_000,
      attemptsMax: 1,
      backoff: "constant",
      baseDelayMs: 1,
      maxDelayMs: 1,
      fetch: this.#apiFetch,
      clock,
      random,
    });
    const transports = { kubernetes: new KubernetesTransport({ cache, adapter: name, clock }) };
    const readFile = async (): Promise<string> => "";
    const world = { api, transports, template: clock, parseYaml, readFile, env: {}, logger: silentLogger };
    const compiler = new ExpressionCompiler(() => clock.now());
    const task = readTask({ file: "task", content, files: taskFilesIn("/", readText), parseYaml, compiler });
    this.#work = taskHandler({ task, adapter: { name, version: "1" }, config: {}, world });
    this.#ended = Promise.resolve();
  }

  readonly #apiFetch: Fetch = async (request) => {
    if (this.isApiDown) throw new TypeError("fetch failed");
    this.requests.push(`${request.method} ${new URL(request.url).pathname.split("/").slice(4).join("/")}`);
    return this.#api.fetch(request);
  };

  readonly #fetch: Fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const { clusterFault: fault } = this;
    if (searchParams.get("watch") === "true" && fault?.isTotal !== true) {
      const signal = AbortSignal.any([request.signal, this.#watches.signal]);
      return this.cluster.fetch(new Request(request, { signal }));
    }
    if (/\/(?:namespaces|jobs|configmaps)\b/u.test(pathname))
      this.clusterRequests.push(`${request.method} ${pathname}`);
    if (fault === undefined || !fault.path.test(pathname)) return this.cluster.fetch(request);
    if (fault.status === "unreachable") throw new TransportError(`connect ECONNREFUSED ${pathname}`);
    return Response.json({ kind: "Status", message: "fault" }, { status: fault.status });
  };

  /** Disconnects the adapter from the cluster: ends every watch and fails every request. */
  cutCluster(): void {
    this.clusterFault = { status: "unreachable", path: /./u, isTotal: true };
    this.#watches.abort(new TransportError("connection reset"));
    this.#watches = new AbortController();
  }

  /** Sends a pulse, advances the clock by `ms` and returns the outcome of the run. */
  async pulseFor(id: string, ms: number): Promise<Awaited<ReturnType<PulseHandler>>> {
    const pulsed = this.pulse(id);
    pulsed.catch(() => {}); // returned below
    await this.advance(ms);
    return pulsed;
  }

  async create(spec: JsonObject = {}): Promise<string> {
    return (await this.clusters.create({ name: `c-${this.requests.length}`, spec })).resource.id;
  }

  /** Sends a pulse and returns the outcome of the run once the harness is idle without advancing the clock. */
  async pulse(
    id: string,
    signal = new AbortController().signal,
    trigger?: "change",
  ): Promise<Awaited<ReturnType<PulseHandler>>> {
    if (this.#work === undefined) throw new TypeError("no adapter is running: call start() first");
    const { generation } = (await this.clusters.get(id).catch(() => undefined))?.resource ?? { generation: 0 };
    const work = this.#work(
      { id, generation, data: { id, generation }, ...(trigger === undefined ? {} : { trigger }) },
      signal,
    );
    work.catch(() => {}); // returned below
    await this.untilIdle();
    return work;
  }

  async advance(ms: number): Promise<void> {
    await this.cluster.clock.advance(ms);
    await this.untilIdle();
  }

  /** Waits until both the adapter and the fleet are idle. Each side can enqueue work for the other. */
  async untilIdle(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await this.cluster.untilIdle();
      await untilIdle();
    }
  }

  async resource(id: string): Promise<WireResource | undefined> {
    for await (const found of this.clusters.list()) if (found.id === id) return found;
    return undefined;
  }

  /** Returns the adapter's report as `@1 Available=True Applied=True …`. */
  async reported(id: string): Promise<string> {
    const found: WireAdapterStatus[] = [];
    for await (const status of this.clusters.statuses(id)) found.push(status);
    const [status] = found;
    if (status === undefined) return "nothing";
    const shown = status.progress ?? status;
    const conditions = shown.conditions.map(({ type, status: is }) => `${type}=${is}`).join(" ");
    return `@${shown.observed_generation} ${conditions}`;
  }

  async condition(id: string, type: string): Promise<string | undefined> {
    const { status } = (await this.clusters.get(id)).resource;
    return status.conditions.find((condition) => condition.type === type)?.status;
  }

  /** Stops the adapter and drops its in-memory state. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.#api.close();
    await this.#store.close();
    await this.cluster[Symbol.asyncDispose]();
  }
}
