import { silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FleetClient, isResourceReady } from "../../client/index.ts";
import type { FleetCollection, FleetWaitGoal, WireResource } from "../../client/index.ts";
import { reportBody, TestFleet } from "../fleet-api.fixture.ts";
import { FeedWatcher } from "./feed-watcher.ts";

const CLUSTER = { kind: "Cluster", plural: "clusters", requiredAdapters: ["dns", "validation"] };
/** Longer than a client waits before it reopens a broken watch. */
const RECONNECT_MS = 30_000;

/** A fleet API in this process, with a connection that a test can break. */
class Connection implements AsyncDisposable {
  readonly fleet: TestFleet;
  readonly clusters: FleetCollection;
  /** The requests, as method and path. */
  readonly requests: string[] = [];
  isDown = false;
  hasExpired = false;
  readonly #open = new Set<(error: Error) => void>();
  readonly #api: { watcher?: FeedWatcher };

  private constructor(fleet: TestFleet, api: { watcher?: FeedWatcher }) {
    this.fleet = fleet;
    this.#api = api;
    this.restart();
    const { clock } = fleet;
    const options = { url: "http://fleet.test", fetch: this.#fetch, clock, random: seededRandom(3) };
    this.clusters = new FleetClient(options).collection(CLUSTER);
  }

  static async open(): Promise<Connection> {
    const later: { watcher?: FeedWatcher } = {};
    const watch: FeedWatcher["watch"] = async (request) => {
      if (later.watcher === undefined) throw new TypeError("the API has not started");
      return later.watcher.watch(request);
    };
    const fleet = await TestFleet.open({ api: { watcher: { watch } } });
    return new Connection(fleet, later);
  }

  /** Replaces the watch server, like a new process with the same store, and breaks all open watches. */
  restart(): void {
    const { store, clock } = this.fleet;
    this.#api.watcher = new FeedWatcher({ store, clock, random: seededRandom(1), logger: silentLogger });
    this.cut();
  }

  /** Breaks all open watches. */
  cut(): void {
    for (const fail of this.#open) fail(new TypeError("terminated"));
    this.#open.clear();
  }

  readonly #fetch: Fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const isWatch = searchParams.has("watch");
    this.requests.push(`${request.method} ${isWatch ? "watch" : pathname.split("/").slice(4).join("/")}`);
    if (this.isDown) throw new TypeError("fetch failed");
    if (this.hasExpired && request.headers.has("last-event-id")) {
      this.hasExpired = false;
      return new Response("{}", { status: 410 });
    }
    const response = await this.fleet.api.fetch(request);
    if (!isWatch || !response.ok || response.body === null) return response;
    return new Response(this.#breakable(response.body), response);
  };

  #breakable(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {}); // awaited below, if at all
    this.#open.add(broken.reject);
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await Promise.race([reader.read(), broken.promise]);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => reader.cancel(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await this.fleet.clock.advance(0);
    await this.fleet[Symbol.asyncDispose]();
  }
}

/** A running wait and its result. */
interface Waiting {
  readonly stop: () => Promise<void>;
  readonly ended: () => WireResource | Error | undefined;
}

function startWait(
  { clusters }: Connection,
  id: string,
  options: { readonly goal?: FleetWaitGoal; readonly generation?: number } = {},
): Waiting {
  const { goal = "ready", generation } = options;
  const stop = new AbortController();
  let end: WireResource | Error | undefined;
  const waiting = clusters.waitUntilReady(id, { for: goal, generation, signal: stop.signal }).then(
    (resource) => void (end = resource),
    (error: unknown) => void (end = error as Error), // every rejection is an error
  );
  return {
    ended: () => end,
    stop: async () => {
      stop.abort();
      await waiting;
    },
  };
}

type Step =
  | { readonly kind: "patch" | "cut" | "restart" | "expire" | "down" | "up" }
  | {
      readonly kind: "report";
      readonly adapter: string;
      readonly available: "True" | "False" | "Unknown";
      readonly behind: number;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("patch", "cut", "restart", "expire", "down", "up") }),
  fc.record({
    kind: fc.constant("report"),
    adapter: fc.constantFrom("dns", "validation"),
    available: fc.constantFrom("True", "True", "True", "False", "Unknown"),
    behind: fc.constantFrom(0, 0, 0, 1),
  }),
);

async function take(connection: Connection, id: string, at: Step, generation: number): Promise<void> {
  const { fleet } = connection;
  switch (at.kind) {
    case "patch":
      await fleet.call("PATCH", `/clusters/${id}`, { spec: { region: `r${generation}` } });
      return;
    case "report":
      await fleet.call(
        "PUT",
        `/clusters/${id}/statuses`,
        reportBody(fleet.clock.now(), at.adapter, Math.max(1, generation - at.behind), at.available),
      );
      return;
    case "cut":
      return connection.cut();
    case "restart":
      return connection.restart();
    case "expire":
      connection.hasExpired = true;
      return connection.cut();
    case "down":
      connection.isDown = true;
      return connection.cut();
    case "up":
      connection.isDown = false;
  }
}

async function stored({ fleet }: Connection, id: string): Promise<WireResource> {
  // The API's own type.
  return (await fleet.call("GET", `/clusters/${id}`)).json as unknown as WireResource;
}

describe("a wait on a fleet", () => {
  test("sends no request while there are no changes", async () => {
    await using connection = await Connection.open();
    const { fleet, requests } = connection;
    const id = await fleet.create("/clusters", "Cluster", "eu-1");
    const waiting = startWait(connection, id);
    await fleet.clock.advance(25 * 60_000);
    expect(requests).toEqual([`GET clusters/${id}`, "GET watch"]);
    await fleet.report(`/clusters/${id}`, "dns", 1, "True");
    await fleet.report(`/clusters/${id}`, "validation", 1, "True");
    await fleet.clock.advance(1_000);
    expect(waiting.ended()).toMatchObject({ id, generation: 1 });
    expect(requests).toHaveLength(2);
  });

  test("ends exactly when its generation is ready, despite broken connections", async () => {
    const watched = async (steps: readonly Step[], generation: number): Promise<void> => {
      await using connection = await Connection.open();
      const { fleet } = connection;
      const id = await fleet.create("/clusters", "Cluster", "eu-1");
      const waiting = startWait(connection, id, { generation });
      await fleet.clock.advance(100);
      let wasReady = false;
      let mustEnd = false;
      const wrong: string[] = [];
      const up = { kind: "up" } as const;
      const reports = ["dns", "validation"].map((adapter) => {
        return { kind: "report", adapter, available: "True", behind: 0 } as const;
      });
      for (const at of [...steps, up, { kind: "patch" } as const, { kind: "patch" } as const, ...reports]) {
        // Some requests take time: a change is retried after a conflict.
        const pending = take(connection, id, at, (await stored(connection, id)).generation);
        await fleet.clock.advance(RECONNECT_MS);
        await pending;
        const now = await stored(connection, id);
        const isReached = isResourceReady(now) && now.generation >= generation;
        wasReady ||= isReached;
        mustEnd ||= isReached && !connection.isDown;
        const hasEnded = waiting.ended() !== undefined;
        wrong.push(...(hasEnded && !wasReady ? ["ended early"] : []), ...(mustEnd && !hasEnded ? ["missed it"] : []));
      }
      expect([wrong, waiting.ended()]).toEqual([[], expect.objectContaining({ id })]);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.constantFrom(1, 2, 3), watched), {
      numRuns: 25,
    });
  });

  test("for a deletion ends when the resource is removed, and ignores other resources", async () => {
    for (const fault of ["none", "cut", "restart", "expire"] as const) {
      await using connection = await Connection.open();
      const { fleet } = connection;
      const [id, other] = [
        await fleet.create("/clusters", "Cluster", "eu-1"),
        await fleet.create("/clusters", "Cluster", "eu-2"),
      ];
      const waiting = startWait(connection, id, { goal: "deleted" });
      const broken = async (): Promise<void> => {
        if (fault !== "none") await take(connection, id, { kind: fault }, 1);
        await fleet.clock.advance(RECONNECT_MS);
      };
      await broken();
      // A server that resumes a watch with a search reports every other changed resource as gone.
      await fleet.call("PATCH", `/clusters/${other}`, { spec: { region: "y" } });
      await fleet.call("DELETE", `/clusters/${id}`);
      await broken();
      expect(waiting.ended()).toBeUndefined();
      await fleet.report(`/clusters/${id}`, "dns", 2, "False", "True");
      await broken();
      expect(waiting.ended()).toBeUndefined();
      await fleet.report(`/clusters/${id}`, "validation", 2, "False", "True");
      const again = await fleet.create("/clusters", "Cluster", "eu-1");
      await broken();
      expect([waiting.ended(), again === id]).toEqual([expect.objectContaining({ id }), false]);
    }
  });

  test("ends with its signal while the server is unreachable", async () => {
    await using connection = await Connection.open();
    const { fleet } = connection;
    const id = await fleet.create("/clusters", "Cluster", "eu-1");
    const waiting = startWait(connection, id);
    await fleet.clock.advance(100);
    connection.isDown = true;
    connection.cut();
    await fleet.clock.advance(RECONNECT_MS);
    await waiting.stop();
    expect(waiting.ended()).toMatchObject({ name: "AbortError" });
  });

  test("ignores a Ready condition of an older generation", async () => {
    const rule = { status: "true", observed_generation: "1" };
    await using fleet = await TestFleet.open({
      entities: [{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"], aggregation: { ready: rule } }],
    });
    const id = await fleet.create("/clusters", "Cluster", "eu-1");
    const read = async (): Promise<WireResource> => (await fleet.call("GET", `/clusters/${id}`)).json as never;
    expect(isResourceReady(await read())).toBe(true);
    await fleet.call("PATCH", `/clusters/${id}`, { spec: { region: "y" } });
    expect(isResourceReady(await read())).toBe(false);
  });
});
