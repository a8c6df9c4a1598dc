import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Client } from "../client/index.ts";
import { Informer } from "./index.ts";

/** A request for a whole collection: pages, or a stream of all there is. */
export const isList: RequestFilter = (request) =>
  request.method === "GET" && (!isWatch(request) || request.query.includes("sendInitialEvents=true"));

/** An informer under test. */
export interface Followed {
  readonly informer: Informer<typeof ConfigMap>;
  readonly changes: readonly string[];
}

/** Follows the ConfigMaps of a cluster. */
export function follow(cluster: TestCluster, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch): Followed {
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

/** The names of what an informer knows, sorted. */
export function names(informer: Informer<typeof ConfigMap>): readonly string[] {
  return informer
    .list()
    .map((object: KubeObject) => object.metadata.name)
    .toSorted();
}
