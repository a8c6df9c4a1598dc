import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Client } from "../client/index.ts";
import { Informer } from "./index.ts";

/** Matches requests for a whole collection: paginated or streamed lists. */
export const isList: RequestFilter = (request) =>
  request.method === "GET" && (!isWatch(request) || request.query.includes("sendInitialEvents=true"));

/** An informer under test. */
export interface TestInformer {
  readonly informer: Informer<typeof ConfigMap>;
  readonly changes: readonly string[];
}

/** Starts an informer on the ConfigMaps of a cluster. */
export function startInformer(cluster: TestCluster, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch): TestInformer {
  const changes: string[] = [];
  let informer: Informer<typeof ConfigMap> | undefined;
  cluster.run({
    name: "follower",
    start: (world) => {
      const client = new Client({ fetch: wrap(world.fetch), fieldManager: "test" });
      const { clock, signal } = world;
      informer = new Informer({ client, kind: ConfigMap, clock, random: seededRandom(1), logger: silentLogger });
      informer.subscribe((change) => changes.push(`${change.kind} ${change.object.metadata.name}`));
      return informer.run(signal);
    },
  });
  return {
    get informer() {
      if (informer === undefined) throw new Error("not started yet");
      return informer;
    },
    changes,
  };
}

/** Returns the names of the cached objects, sorted. */
export function cachedNames(informer: Informer<typeof ConfigMap>): readonly string[] {
  return informer
    .list()
    .map((object: KubeObject) => object.metadata.name)
    .toSorted();
}
