import { connect, Cache, Client, loadKubeconfig } from "@levelset/operator";
import type { ClusterConfig, Informer } from "@levelset/operator";
import {
  compareResourceVersions,
  ConfigMap,
  formatKey,
  isConflict,
  isNotFound,
  objectKeyOf,
  realClock,
  silentLogger,
} from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { KubeObject, Random } from "@levelset/core";
import { faultyFetch, isWatch, seededRandom } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import type { TestServer } from "../../support/test-server.ts";
import { eventually } from "../../support/eventually.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

/** Result of a run. */
export interface NetworkFaultReport {
  readonly rounds: number;
  readonly writes: number;
  readonly events: number;
  readonly requests: number;
  readonly connections: number;
  /** Descriptions of violated guarantees. */
  readonly violations: readonly string[];
  /** Highest request rate per second during an outage. */
  readonly maxRequestsPerSecond: number;
}

const NAMES = 40;
const COLOURS = ["red", "green", "blue"];
const CATCH_UP_MS = 40_000;

/**
 * Watches ConfigMaps through a faulty network while other clients write them. In each round a fault is injected.
 * After it, the cache must converge to the state that a direct read returns.
 */
export async function runNetworkFaults(
  target: TestServer,
  options: { readonly rounds: number; readonly seed: number },
): Promise<NetworkFaultReport> {
  await using campaign = await Campaign.start(target, options.seed);
  for (let round = 0; round < options.rounds; round++) await campaign.round();
  return campaign.report();
}

class Campaign implements AsyncDisposable {
  readonly #random: Random;
  readonly #proxy: TcpProxy;
  readonly #faults: FaultyFetch;
  readonly #cache: Cache;
  readonly #direct: Client;
  readonly #informer: Informer<typeof ConfigMap>;
  readonly #close: () => Promise<void>;
  readonly #violations: string[] = [];
  /** Newest version per key that a listener received while the object existed. */
  readonly #reported = new Map<string, string>();
  #rounds = 0;
  #writes = 0;
  #events = 0;
  #stormiest = 0;

  private constructor(parts: {
    readonly proxy: TcpProxy;
    readonly faults: FaultyFetch;
    readonly cache: Cache;
    readonly direct: Client;
    readonly random: Random;
    readonly close: () => Promise<void>;
  }) {
    this.#proxy = parts.proxy;
    this.#faults = parts.faults;
    this.#cache = parts.cache;
    this.#direct = parts.direct;
    this.#random = parts.random;
    this.#close = parts.close;
    this.#informer = this.#cache.watch(ConfigMap, { namespaces: ["default"] });
    this.#informer.addIndex("colour", colourOf);
    this.#informer.subscribe(({ kind, object }) => this.#listen(kind, object));
  }

  static async start(target: TestServer, seed: number): Promise<Campaign> {
    const access = await loadKubeconfig(target.kubeconfig);
    const proxy = await TcpProxy.start(new URL(access.server));
    const through: ClusterConfig = { ...access, server: `https://127.0.0.1:${proxy.port}` };
    const [near, far] = [connect(access), connect(through)];
    const faults = faultyFetch(far.fetch, { clock: realClock });
    const cache = new Cache({
      fetch: faults.fetch,
      clock: realClock,
      random: seededRandom(seed),
      logger: silentLogger,
    });
    const direct = new Client({ fetch: near.fetch, fieldManager: "oracle" });
    const close = async (): Promise<void> => {
      await cache.close();
      await Promise.all([near.close(), far.close()]);
      await proxy[Symbol.asyncDispose]();
    };
    return new Campaign({ proxy, faults, cache, direct, random: seededRandom(seed), close });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  report(): NetworkFaultReport {
    return {
      rounds: this.#rounds,
      writes: this.#writes,
      events: this.#events,
      requests: this.#faults.requests.length,
      connections: this.#proxy.connections,
      violations: this.#violations,
      maxRequestsPerSecond: this.#stormiest,
    };
  }

  /** Injects a fault during writes, removes it, and compares. */
  async round(): Promise<void> {
    this.#rounds++;
    const writing = this.#write(30);
    await this.#break();
    await writing;
    this.#proxy.heal();
    await this.#compare();
  }

  async #break(): Promise<void> {
    const pauseMs = 200 + this.#random.next() * 1_500;
    const kind = Math.floor(this.#random.next() * 10);
    const label = `round ${this.#rounds}, fault ${kind}`;
    switch (kind) {
      case 0:
        return this.#proxy.cut();
      case 1:
        return this.#counted(label, () => this.#proxy.refuse(true), pauseMs * 2);
      case 2:
        this.#proxy.blackHole(true);
        await realClock.sleep(pauseMs);
        // Dropped connections never recover: close them, as a restarted router does.
        return this.#proxy.cut();
      case 3:
        this.#proxy.delay(100);
        return realClock.sleep(pauseMs);
      case 4:
        this.#faults.failNthEvent(1, { kind: "status", reason: "Expired" });
        return undefined;
      case 5:
        this.#faults.failNth(1, { kind: "status", reason: "Expired" }, isWatch);
        return this.#proxy.cut();
      case 6:
        for (let n = 0; n < 3; n++) {
          this.#faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 });
        }
        return this.#proxy.cut();
      case 7:
        for (let n = 0; n < 3; n++) this.#faults.failNth(1, { kind: "status", reason: "InternalError" });
        return this.#proxy.cut();
      case 8:
        // An expired token, until it is renewed.
        for (let n = 0; n < 2; n++) this.#faults.failNth(1, { kind: "status", reason: "Unauthorized" });
        return this.#proxy.cut();
      default:
        this.#faults.failNthEvent(2, { kind: "cut" });
        return undefined;
    }
  }

  /** Holds an outage and counts the requests during it. */
  async #counted(label: string, start: () => void, ms: number): Promise<void> {
    start();
    const [before, since] = [this.#faults.requests.length, realClock.monotonic()];
    await realClock.sleep(ms);
    const perSecond = ((this.#faults.requests.length - before) * 1_000) / (realClock.monotonic() - since);
    this.#stormiest = Math.max(this.#stormiest, perSecond);
    if (perSecond > 10) this.#violations.push(`${label}: ${perSecond.toFixed(1)} requests per second during an outage`);
  }

  async #write(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const key = { namespace: "default", name: `t${Math.floor(this.#random.next() * NAMES)}` };
      const colour = COLOURS[Math.floor(this.#random.next() * COLOURS.length)] ?? "red";
      const labels = { colour };
      try {
        if (this.#random.next() < 0.25) await this.#direct.delete(ConfigMap, key);
        else await this.#direct.apply(ConfigMap, { metadata: { ...key, labels }, data: { n: String(this.#writes) } });
        this.#writes++;
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  /** Waits until the cache equals the server; records the difference at the deadline. */
  async #compare(): Promise<void> {
    const { items, resourceVersion } = await this.#direct.list(ConfigMap, { namespace: "default" });
    const truth = new Map(items.map((object) => [formatKey(objectKeyOf(object)), object.metadata.resourceVersion]));
    try {
      await eventually("the cache has caught up", () => this.#difference(truth) === undefined, {
        timeoutMs: CATCH_UP_MS,
      });
    } catch {
      const difference = this.#difference(truth) ?? "caught up late";
      this.#violations.push(`round ${this.#rounds}: not caught up with ${resourceVersion} in time: ${difference}`);
      return;
    }
    for (const colour of COLOURS) {
      const found = this.#informer.byIndex("colour", colour).map((object) => formatKey(objectKeyOf(object)));
      const scanned = this.#informer.list().filter((object) => colourOf(object).includes(colour));
      const keys = scanned.map((object) => formatKey(objectKeyOf(object)));
      if (!deepEqual(found.toSorted(), keys.toSorted())) {
        this.#violations.push(`round ${this.#rounds}: the index of ${colour} differs from a full scan`);
      }
    }
  }

  #difference(truth: ReadonlyMap<string, string>): string | undefined {
    const cached = new Map(
      this.#informer.list().map((object) => [formatKey(objectKeyOf(object)), object.metadata.resourceVersion]),
    );
    for (const [key, version] of truth) {
      if (cached.get(key) !== version) return `${key} is at ${version}, the cache has ${cached.get(key) ?? "nothing"}`;
    }
    for (const key of cached.keys()) if (!truth.has(key)) return `${key} is deleted, but still cached`;
    return undefined;
  }

  /** Listeners must receive the versions of each object in order. */
  #listen(kind: string, object: KubeObject): void {
    this.#events++;
    const key = formatKey(objectKeyOf(object));
    const { resourceVersion } = object.metadata;
    const last = this.#reported.get(key);
    if (last !== undefined && kind !== "removed" && compareResourceVersions(resourceVersion, last) <= 0) {
      this.#violations.push(`round ${this.#rounds}: ${key} went from ${last} back to ${resourceVersion}`);
    }
    if (kind === "removed") this.#reported.delete(key);
    else this.#reported.set(key, resourceVersion);
  }
}

function colourOf(object: KubeObject): readonly string[] {
  const colour = object.metadata.labels?.["colour"];
  return colour === undefined ? [] : [colour];
}
