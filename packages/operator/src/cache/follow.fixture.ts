import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Client } from "../client/index.ts";
import { Informer } from "./index.ts";

/** A watch, of whichever kind. */
export const isWatch: RequestFilter = ({ query }) => query.includes("watch=true");
/** A request for a whole collection: pages, or a stream of all there is. */
export const isList: RequestFilter = (request) =>
  request.method === "GET" && (!isWatch(request) || request.query.includes("sendInitialEvents=true"));

/** An informer under test. */
export interface Followed {
  readonly informer: Informer<typeof ConfigMap>;
  readonly changes: readonly string[];
  /** Ends the streams of all watches that are open now, in the middle of an event. */
  cut(): void;
  /** Lets nothing more through on the watches that are open now, without ending them. */
  freeze(): void;
}

/** Follows the ConfigMaps of a cluster, over a connection that the test can cut. */
export function follow(cluster: TestCluster, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch): Followed {
  const changes: string[] = [];
  const open = new Set<{ readonly stop: AbortController; isFrozen: boolean }>();
  const cuttable =
    (inner: Fetch): Fetch =>
    async (request) => {
      const response = await inner(request);
      if (!request.url.includes("watch=true") || response.body === null) return response;
      const stream = { stop: new AbortController(), isFrozen: false };
      open.add(stream);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (!stream.isFrozen) controller.enqueue(chunk);
        },
      });
      response.body.pipeTo(writable, { signal: stream.stop.signal }).catch(() => {});
      return new Response(readable, response);
    };
  let informer: Informer<typeof ConfigMap> | undefined;
  cluster.run({
    name: "follower",
    start: (world) => {
      const client = new Client({ fetch: cuttable(wrap(world.fetch)), fieldManager: "test" });
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
    cut: () => {
      for (const { stop } of open) stop.abort();
      open.clear();
    },
    freeze: () => {
      for (const stream of open) stream.isFrozen = true;
    },
  };
}

/** The names of what an informer knows, sorted. */
export function names(informer: Informer<typeof ConfigMap>): readonly string[] {
  return informer
    .list()
    .map((object: KubeObject) => object.metadata.name)
    .toSorted();
}
