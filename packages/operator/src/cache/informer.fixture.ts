import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "./index.ts";
import type { Informer } from "./index.ts";

/** Matches requests for a whole collection: paginated or streamed lists. */
export const isList: RequestFilter = (request) =>
  request.method === "GET" && (!isWatch(request) || request.query.includes("sendInitialEvents=true"));

/** An informer under test. */
export interface TestInformer {
  readonly informer: Informer<typeof ConfigMap>;
  readonly changes: readonly string[];
  /** Relists the collection. Resolves when the list is complete. */
  readonly refresh: () => Promise<void>;
}

/** Starts an informer on the ConfigMaps of a cluster. */
export function startInformer(cluster: TestCluster, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch): TestInformer {
  const changes: string[] = [];
  const { clock } = cluster;
  let started: { readonly cache: Cache; readonly informer: TestInformer["informer"] } | undefined;
  cluster.run({
    name: "informer",
    start: async ({ fetch, signal }) => {
      const cache = new Cache({ fetch: wrap(fetch), clock, random: seededRandom(1), logger: silentLogger });
      const informer = cache.watch(ConfigMap);
      informer.subscribe((change) => changes.push(`${change.kind} ${change.object.metadata.name}`));
      started = { cache, informer };
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await cache.close();
    },
  });
  const running = (): NonNullable<typeof started> => {
    if (started === undefined) throw new Error("not started yet");
    return started;
  };
  return {
    get informer() {
      return running().informer;
    },
    changes,
    refresh: () => {
      running().cache.refresh();
      return running().cache.waitConsistent();
    },
  };
}

/** Returns the names of the cached objects, sorted. */
export function cachedNames(informer: Informer<typeof ConfigMap>): readonly string[] {
  return informer
    .list()
    .map((object: KubeObject) => object.metadata.name)
    .toSorted();
}

/** Returns the number of open watches according to the server. */
export async function openWatches(cluster: TestCluster): Promise<number> {
  const text = await (await cluster.fetch(new Request("http://server/metrics"))).text();
  const counts = [...text.matchAll(/^apiserver_longrunning_requests\{.*\} (\d+)$/gmu)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
