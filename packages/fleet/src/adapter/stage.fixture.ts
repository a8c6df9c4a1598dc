import { silentLogger, TransportError } from "@levelset/core";
import type { Fetch, JsonObject } from "@levelset/core";
import { atRest, seededRandom } from "@levelset/core/testing";
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
import type { Work } from "./serve/index.ts";
import type { StepAdapter } from "./stepwise/index.ts";
import { ExpressionCompiler } from "./expression/index.ts";
import { ApiCaller } from "./run/index.ts";
import { taskWork } from "./serve/index.ts";
import { filesBelow, readTask } from "./task/index.ts";
import { KubernetesTransport } from "./transport/index.ts";
import { parseYaml } from "./yaml.ts";
import { StepwiseServer } from "./stepwise/index.ts";

/** What a stage is made of. */
export interface StageOptions {
  readonly workloads?: boolean;
  /** The adapters that clusters need. */
  readonly adapters?: readonly string[];
}

/** A fleet in memory, a cluster in memory, one adapter between them, and one clock for all. Pulses are sent by hand. */
export class Stage implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly clusters: FleetCollection;
  readonly requests: string[] = [];
  /** Whether nobody can reach the fleet's API. */
  isApiAway = false;
  /** How the cluster fails requests of the adapter: with a status, or not at all. Watches go on, unless the fault is total. */
  clusterFault: { readonly status: number | "unreachable"; readonly path: RegExp; readonly isTotal?: true } | undefined;
  /** Requests of the adapter to the cluster, without watches and discovery: `PATCH /api/v1/…`. */
  readonly clusterRequests: string[] = [];
  #watches = new AbortController();
  readonly #store: FleetStore;
  readonly #api: FleetApi;
  readonly #client: FleetClient;
  #work: Work | undefined;
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

  static async open({ workloads = true, adapters = ["network"] }: StageOptions = {}): Promise<Stage> {
    const cluster = await testCluster({ workloads });
    const world = { clock: cluster.clock, random: seededRandom(2), logger: silentLogger };
    return new Stage(cluster, await openStore({ kind: "sqlite", path: ":memory:" }, world), adapters);
  }

  /** Starts an adapter; the one before is gone, with everything it had in memory. */
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
    const server = new StepwiseServer(options);
    this.#work = server.work;
    this.#ended = server.run(this.#stop.signal);
    await this.rest();
  }

  /** Starts an adapter that is configured, the same way. `readText` reads the files that it names. */
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
    const task = readTask({ file: "task", content, files: filesBelow("/", readText), parseYaml, compiler });
    this.#work = taskWork({ task, adapter: { name, version: "1" }, config: {}, world });
    this.#ended = Promise.resolve();
  }

  readonly #apiFetch: Fetch = async (request) => {
    if (this.isApiAway) throw new TypeError("fetch failed");
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

  /** Cuts the adapter off from the cluster: every watch ends, and every request fails. */
  cutCluster(): void {
    this.clusterFault = { status: "unreachable", path: /./u, isTotal: true };
    this.#watches.abort(new TransportError("connection reset"));
    this.#watches = new AbortController();
  }

  /** Sends a pulse whose run takes longer than no time, and gives its outcome. */
  async pulseFor(id: string, ms: number): Promise<Awaited<ReturnType<Work>>> {
    const answered = this.pulse(id);
    answered.catch(() => {}); // returned below
    await this.pass(ms);
    return answered;
  }

  async create(spec: JsonObject = {}): Promise<string> {
    return (await this.clusters.create({ name: `c-${this.requests.length}`, spec })).resource.id;
  }

  /** Sends a pulse and gives what became of it, once nothing moves any more without time passing. */
  async pulse(
    id: string,
    signal = new AbortController().signal,
    trigger?: "change",
  ): Promise<Awaited<ReturnType<Work>>> {
    if (this.#work === undefined) throw new TypeError("no adapter was started");
    const { generation } = (await this.clusters.get(id).catch(() => undefined))?.resource ?? { generation: 0 };
    const work = this.#work(
      { id, generation, data: { id, generation }, ...(trigger === undefined ? {} : { trigger }) },
      signal,
    );
    work.catch(() => {}); // returned below
    await this.rest();
    return work;
  }

  async pass(ms: number): Promise<void> {
    await this.cluster.clock.advance(ms);
    await this.rest();
  }

  /** Until nothing happens any more. Steps of one side wake the other. */
  async rest(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await this.cluster.rest();
      await atRest();
    }
  }

  async resource(id: string): Promise<WireResource | undefined> {
    for await (const found of this.clusters.list()) if (found.id === id) return found;
    return undefined;
  }

  /** What the adapter's report says: `Available=True@1 Applied=True …`. */
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

  /** Ends the adapter: nothing of what it had in memory is left. */
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
