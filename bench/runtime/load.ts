import { crdOf, kind, s } from "@levelset/core";
import { BenchClient } from "../apiserver-client.ts";
import type { ServerAccess } from "../apiserver-client.ts";
import { sleep, withTimeout } from "./with-timeout.ts";

const CONNECTIONS = 16;
const NAMESPACE = "bench";
const CONFIGMAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const DIVISIONS = `/apis/bench.levelset.dev/v1/namespaces/${NAMESPACE}/divisions`;
const TEXT = "x".repeat(2000);
const READY_MS = 60_000;
const SETTLED_MS = 20_000;

const Division = kind({
  group: "bench.levelset.dev",
  version: "v1",
  kind: "Division",
  spec: s.object({ dividend: s.int32(), divisor: s.int32() }),
  status: s.object({ quotient: s.int32().optional(), remainder: s.int32().optional() }),
});

interface DivisionObject {
  readonly metadata: { readonly name: string; readonly generation: number; readonly resourceVersion: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface Waiter {
  readonly generation: number;
  readonly resolve: () => void;
}

/** The load on a cluster during measurements. */
export class Load implements AsyncDisposable {
  readonly #client: BenchClient;
  readonly #watching: BenchClient;
  /** name → the last generation observed as Ready. */
  readonly #ready = new Map<string, number>();
  readonly #waiters = new Map<string, Waiter>();
  #configMaps = 0;
  #rest = "";

  private constructor(server: ServerAccess) {
    this.#client = new BenchClient(server, CONNECTIONS);
    this.#watching = new BenchClient(server, 1);
  }

  /** Installs the CRD and watches its objects. */
  static async start(server: ServerAccess): Promise<Load> {
    const load = new Load(server);
    const client = load.#client;
    await client.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: NAMESPACE } }));
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await client.send("POST", crds, JSON.stringify(crdOf(Division)));
    const list = await withTimeout(SETTLED_MS, "the kind is not served", load.#firstList());
    const { metadata } = JSON.parse(list) as { readonly metadata: { readonly resourceVersion: string } };
    const query = `watch=true&timeoutSeconds=1800&resourceVersion=${metadata.resourceVersion}`;
    await load.#watching.watch(`${DIVISIONS}?${query}`, (chunk) => load.#take(chunk));
    return load;
  }

  async #firstList(): Promise<string> {
    for (;;) {
      try {
        return await this.#client.send("GET", DIVISIONS);
      } catch {
        // A new kind is served shortly after its CRD is created.
        await sleep(50);
      }
    }
  }

  /** Creates ConfigMaps up to a number. */
  async configMaps(count: number): Promise<void> {
    const from = this.#configMaps;
    await this.#inParallel(count - from, (index) =>
      this.#client.send(
        "POST",
        CONFIGMAPS,
        JSON.stringify({ metadata: { name: `map-${from + index}` }, data: { text: TEXT } }),
      ),
    );
    this.#configMaps = count;
  }

  /** Creates objects and returns the milliseconds until all are Ready. */
  async create(count: number): Promise<number> {
    const ready = Array.from({ length: count }, (_, index) => this.#readyAt(nameOf(index), 1));
    const start = performance.now();
    const all = Promise.all(ready).then(() => performance.now() - start);
    await this.#inParallel(count, (index) => this.#client.send("POST", DIVISIONS, division(nameOf(index), index)));
    return withTimeout(READY_MS, "not all objects are Ready", all);
  }

  /** Edits objects one after the other. Returns the milliseconds from each edit until its status. */
  async edit(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const name = nameOf(index);
      const found = JSON.parse(await this.#client.send("GET", `${DIVISIONS}/${name}`)) as DivisionObject;
      const { generation, resourceVersion } = found.metadata;
      const seen = this.#readyAt(name, generation + 1).then(() => performance.now());
      const start = performance.now();
      await this.#client.send("PUT", `${DIVISIONS}/${name}`, division(name, index + 1_000_000, resourceVersion));
      times.push((await withTimeout(READY_MS, `${name} is not Ready`, seen)) - start);
    }
    return times;
  }

  /** Deletes all reconciled objects. */
  async clear(): Promise<void> {
    await this.#client.send("DELETE", DIVISIONS);
    this.#ready.clear();
    this.#waiters.clear();
  }

  /** Returns the number of requests for these objects so far. */
  async requests(): Promise<number> {
    const text = await this.#client.send("GET", "/metrics");
    const counted = text.matchAll(/^apiserver_request_total\{[^}]*resource="divisions"[^}]*\} (\S+)$/gmu);
    return [...counted].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  #readyAt(name: string, generation: number): Promise<void> {
    if ((this.#ready.get(name) ?? 0) >= generation) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.set(name, { generation, resolve });
    return promise;
  }

  #take(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString()).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const { object } = JSON.parse(line) as { readonly object: DivisionObject };
      const generation = readyGeneration(object);
      if (generation === undefined) continue;
      const { name } = object.metadata;
      this.#ready.set(name, generation);
      const waiter = this.#waiters.get(name);
      if (waiter === undefined || waiter.generation > generation) continue;
      this.#waiters.delete(name);
      waiter.resolve();
    }
  }

  async #inParallel(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) await run(next++);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#client[Symbol.asyncDispose](), this.#watching[Symbol.asyncDispose]()]);
  }
}

/** Returns the generation for which an object is Ready. */
function readyGeneration({ metadata, status }: DivisionObject): number | undefined {
  const isReady = status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True");
  if (isReady !== true || status?.observedGeneration !== metadata.generation) return undefined;
  return metadata.generation;
}

function nameOf(index: number): string {
  return `division-${index}`;
}

function division(name: string, dividend: number, resourceVersion?: string): string {
  return JSON.stringify({
    apiVersion: "bench.levelset.dev/v1",
    kind: "Division",
    metadata: { name, resourceVersion },
    spec: { dividend, divisor: 7 },
  });
}
