import { kind, parseJson, s } from "@levelset/core";
import type { Fetch, ObjectOf } from "@levelset/core";
import { faultyFetch, isWrite } from "@levelset/core/testing";
import type { Fault, FaultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step, terminal } from "../step/index.ts";
import { BucketService } from "./bucket-service.fixture.ts";
import type { Bucket, BucketServiceOptions } from "./bucket-service.fixture.ts";
import { external } from "./external.ts";
import type { ExternalOptions, Seen } from "./external.ts";
import { withoutSecrets } from "./without-secrets.ts";

const Store = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Store",
  spec: s.object({ size: s.int32() }),
  status: s.object({ bucket: s.string().optional(), note: s.string().optional() }),
});
type Store = typeof Store;

/** An operator as its author would write it; the key under which the service knows a bucket is the object's uid. */
function storeOperator(fetch: Fetch, more: Partial<ExternalOptions<Store, Bucket, readonly []>> = {}): Operator<Store> {
  const call = async (
    { object, signal }: { readonly object: ObjectOf<Store>; readonly signal: AbortSignal },
    method: string,
    body?: unknown,
  ): Promise<Response> =>
    fetch(
      new Request(`http://buckets.invalid/buckets/${object.metadata.uid}`, {
        method,
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const seen = async (response: Response, size: number): Promise<Seen<Bucket>> => {
    if (response.status === 404) return { state: "absent" };
    if (!response.ok) throw new Error(`the service answers ${response.status}`);
    const value = parseJson(await response.text()) as unknown as Bucket; // the service sends nothing else
    if (value.state !== "ready") return { state: "working", value, doing: value.state };
    return { state: value.size === size ? "current" : "outdated", value };
  };
  const bucket = external(Store, "Bucket", {
    condition: "BucketReady",
    keeps: ["bucket"],
    observe: async (req) => seen(await call(req, "GET"), req.spec.size),
    apply: async (req) => seen(await call(req, "PUT", { size: req.spec.size }), req.spec.size),
    delete: async (req) => ((await call(req, "DELETE")).status === 404 ? "gone" : "going"),
    status: (req, value) => {
      req.status.bucket = value.id;
    },
    ...more,
  });
  const note = step(Store, "Note", {
    uses: [bucket],
    do: (req) => {
      req.status.note = `${req.from(bucket).id} of ${req.from(bucket).size}`;
      return ok();
    },
  });
  return operator(Store, [bucket, note]);
}

interface Stage {
  readonly cluster: TestCluster;
  readonly service: BucketService;
  readonly outside: FaultyFetch;
}

async function stage(options: Omit<BucketServiceOptions, "clock"> = {}): Promise<Stage & AsyncDisposable> {
  const cluster = await testCluster({ kinds: [Store] });
  const service = new BucketService({ clock: cluster.clock, ...options });
  const outside = faultyFetch(service.fetch, { clock: cluster.clock });
  return { cluster, service, outside, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

describe("external", () => {
  test("makes the thing once, looks again while it is busy, and hands over what it knows of it", async () => {
    await using world = await stage({ workMs: 12_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const early = await cluster.settled(Store, "a");
    expect(early).toHaveCondition("BucketReady", "False", { severity: "Info", message: "building" });
    expect(early.status?.bucket).toBe("bucket-1");
    await cluster.clock.advance(15_000);
    const object = await cluster.settled(Store, "a");
    expect(object).toBeReady();
    expect(object.status?.note).toBe("bucket-1 of 3");
    expect(service.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "PUT", "GET", "GET", "GET"]);
  });

  test("changes what differs and makes nothing anew; a settled thing is not asked for", async () => {
    await using world = await stage();
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.settled(Store, "a")).toBeReady();
    await cluster.patch(Store, "a", { spec: { size: 4 } });
    await cluster.clock.advance(5_000);
    const object = await cluster.settled(Store, "a");
    expect(object).toBeReady();
    expect(service.buckets).toMatchObject([{ id: "bucket-1", size: 4 }]);
    const requests = service.requests.length;
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(3_600_000);
    expect([service.requests.length, cluster.faults.count(isWrite)]).toEqual([requests, writes]);
  });

  test("looks at a finished thing every driftMs, and makes it anew when somebody took it away", async () => {
    await using world = await stage();
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch, { driftMs: 60_000 }));
    const { metadata } = await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(5_000);
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
    service.lose(metadata.uid);
    await cluster.clock.advance(65_000);
    expect(await cluster.settled(Store, "a")).toBeReady();
    expect(service.buckets).toMatchObject([{ id: "bucket-2" }]);
  });

  test("deletion waits until the thing is gone", async () => {
    await using world = await stage({ workMs: 7_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(10_000);
    await cluster.delete(Store, "a");
    const object = await cluster.settled(Store, "a");
    expect(object).toHaveCondition("Ready", "False", { reason: "Deleting", message: "BucketReady: being deleted" });
    await cluster.clock.advance(10_000);
    await cluster.gone(Store, "a");
    expect(service.buckets).toEqual([]);
  });

  test("deletion takes away what reads do not show yet", async () => {
    await using world = await stage({ lagMs: 60_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.rest();
    expect(service.buckets).toHaveLength(1);
    await cluster.delete(Store, "a");
    await cluster.clock.advance(5_000);
    await cluster.gone(Store, "a");
    expect(service.buckets).toEqual([]);
  });

  test("a thing without delete outlives the object, which needs no finalizer", async () => {
    await using world = await stage();
    const { cluster, service } = world;
    const bucket = external(Store, "Bucket", {
      observe: async () => ({ state: "absent" }),
      apply: async () => {
        await service.fetch(new Request("http://buckets.invalid/buckets/x", { method: "PUT", body: '{"size":1}' }));
        return { state: "current", value: 1 };
      },
    });
    cluster.run(operator(Store, [bucket]));
    await cluster.apply(Store, { name: "a", spec: { size: 1 } });
    expect((await cluster.settled(Store, "a")).metadata.finalizers ?? []).toEqual([]);
    await cluster.delete(Store, "a");
    await cluster.gone(Store, "a");
    expect(service.buckets).toHaveLength(1);
  });

  test("a call may answer with a result of its own", async () => {
    await using world = await stage();
    const { cluster } = world;
    cluster.run(storeOperator(world.outside.fetch, { apply: async () => terminal("the quota is used up") }));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.settled(Store, "a");
    expect(object).toHaveCondition("BucketReady", "False", { severity: "Error", message: "the quota is used up" });
  });

  test("a duration that is none is refused at the start, with the name of the step", () => {
    const calls = { observe: async () => ({ state: "absent" }) as const, apply: async () => terminal("no") };
    expect(() => external(Store, "Bucket", { ...calls, pollMs: 0 })).toThrow(
      "step Bucket: pollMs is a number of milliseconds above 0, not 0",
    );
  });
});

describe("a service that fails", () => {
  test("and never answers costs one call its time, is told in the condition, and is tried again", async () => {
    await using world = await stage();
    const { cluster, outside } = world;
    outside.failNth(1, { kind: "hang" });
    cluster.run(storeOperator(outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(30_000);
    expect(await cluster.settled(Store, "a")).toHaveCondition("BucketReady", "False", {
      severity: "Warning",
      message: "observe: it did not end within 30 s",
    });
    await cluster.clock.advance(10_000);
    expect(await cluster.settled(Store, "a")).toBeReady();
  });

  test("on the network is no defect of the step", async () => {
    await using world = await stage();
    const { cluster } = world;
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:1");
    const down: Fetch = () => Promise.reject(new TypeError("fetch failed", { cause: refused }));
    cluster.run(storeOperator(down));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    expect(await cluster.settled(Store, "a")).toHaveCondition("BucketReady", "False", {
      severity: "Warning",
      message: "observe: connect ECONNREFUSED 127.0.0.1:1",
    });
    expect(cluster.logs.filter(({ message }) => message === "a step has a defect")).toEqual([]);
  });

  test.each([
    ["a failure", (text: string) => new Error(text, { cause: new Error("inside") })],
    ["a defect", (text: string) => new TypeError(text)],
  ])("shows no secrets: neither in the status nor in the log, also for %s", async (_what, thrown) => {
    await using world = await stage();
    const { cluster } = world;
    const text = "GET https://me:s3cret@buckets.invalid/b?token=s3cret failed: Authorization: Bearer s3cret";
    cluster.run(storeOperator(() => Promise.reject(thrown(text))));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.settled(Store, "a");
    expect(object.status?.conditions?.[0]?.message).toContain("GET https://buckets.invalid/b failed");
    expect(JSON.stringify([object, cluster.logs])).not.toContain("s3cret");
  });
});

test("no credentials in an address survive, wherever it stands", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_~.-]{8,12}$/u);
  fc.assert(
    fc.property(word, word, word, fc.string(), fc.string(), (user, password, token, before, after) => {
      const clean = withoutSecrets(`${before} https://${user}:${password}@h.invalid/p?a=${token}#x ${after}`);
      const plain = withoutSecrets(`${before} https://h.invalid/p ${after}`);
      expect(clean).toBe(plain);
    }),
  );
});

/** Creates, changes and deletes a Store while something breaks; checks what must hold in the end. */
async function life(world: Stage, start: () => Promise<void>): Promise<void> {
  const { cluster, service } = world;
  const look = async (): Promise<ObjectOf<Store> | undefined> => {
    for (let round = 0; round < 3; round++) {
      await cluster.clock.advance(60_000);
      await cluster.rest();
      await start();
    }
    return cluster.get(Store, "a");
  };
  await cluster.apply(Store, { name: "a", spec: { size: 3 } });
  await start();
  expect(await look()).toBeReady();
  await cluster.patch(Store, "a", { spec: { size: 4 } });
  const object = await look();
  expect(object).toBeReady();
  expect(object?.status?.note).toBe("bucket-1 of 4");
  expect(service.made).toBe(1);
  expect(service.buckets).toMatchObject([{ size: 4 }]);
  await cluster.delete(Store, "a");
  expect(await look()).toBeUndefined();
  expect(service.buckets).toEqual([]);
  expect(service.made).toBe(1);
}

describe("at any one moment", () => {
  const LAGS = [0, 8_000];
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "answer-lost" },
    { kind: "hang" },
    { kind: "duplicate" },
    { kind: "delay", ms: 45_000 },
  ];

  test.each(LAGS.flatMap((lagMs) => faults.map((fault) => [fault.kind, lagMs, fault] as const)))(
    "%s of a call, with reads that are %i ms old: one bucket, right in the end, and none left",
    async (_kind, lagMs, fault) => {
      let calls = 1;
      for (let nth = 1; nth <= calls; nth++) {
        await using world = await stage({ workMs: 3_000, lagMs });
        world.outside.failNth(nth, fault);
        let running = false;
        await life(world, async () => {
          if (!running) world.cluster.run(storeOperator(world.outside.fetch));
          running = true;
        });
        calls = world.outside.seen.length;
      }
      expect(calls).toBeGreaterThan(5);
    },
  );

  test.each(LAGS)(
    "a crash, after any request to the cluster or call outside, with reads that are %i ms old",
    async (lagMs) => {
      for (const where of ["cluster", "outside"] as const) {
        let requests = 1;
        for (let nth = 1; nth <= requests; nth++) {
          await using world = await stage({ workMs: 3_000, lagMs });
          const breaking = where === "cluster" ? world.cluster.faults : world.outside;
          breaking.failNth(nth, { kind: "crash" }, where === "cluster" ? isWrite : () => true);
          let running: { stop(): Promise<void> } | undefined;
          await life(world, async () => {
            if (running !== undefined && !breaking.isCrashed) return;
            await running?.stop();
            breaking.revive();
            running = world.cluster.run(storeOperator(world.outside.fetch));
          });
          requests = where === "cluster" ? breaking.count(isWrite) : breaking.seen.length;
        }
        expect(requests).toBeGreaterThan(5);
      }
    },
  );
});
