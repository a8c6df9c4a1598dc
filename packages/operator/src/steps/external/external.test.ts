import { kind, s } from "@levelset/core";
import { parseJson, redactCredentials } from "@levelset/core/internal";
import type { Fetch, ObjectOf } from "@levelset/core";
import { faultyFetch, isWrite } from "@levelset/core/testing";
import type { Fault, FaultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { ok, step, terminal } from "../../engine/index.ts";
import { BucketService } from "./bucket-service.fixture.ts";
import type { Bucket, BucketServiceOptions } from "./bucket-service.fixture.ts";
import { external } from "./external.ts";
import type { ExternalOptions, ExternalState } from "./external.ts";

const Store = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Store",
  spec: s.object({ size: s.int32() }),
  status: s.object({ bucket: s.string().optional(), note: s.string().optional() }),
});
type Store = typeof Store;

/** An operator as a user would write it; the service identifies a bucket by the object's uid. */
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
  const seen = async (response: Response, size: number): Promise<ExternalState<Bucket>> => {
    if (response.status === 404) return { state: "absent" };
    if (!response.ok) throw new Error(`the service answers ${response.status}`);
    const value = parseJson(await response.text()) as unknown as Bucket; // the service sends no other type
    if (value.state !== "ready") return { state: "progressing", value, doing: value.state };
    return { state: value.size === size ? "current" : "outdated", value };
  };
  const bucket = external(Store, "Bucket", {
    condition: "BucketReady",
    preserveStatus: ["bucket"],
    observe: async (req) => seen(await call(req, "GET"), req.spec.size),
    apply: async (req) => seen(await call(req, "PUT", { size: req.spec.size }), req.spec.size),
    delete: async (req) => ((await call(req, "DELETE")).status === 404 ? "deleted" : "deleting"),
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

interface StoreHarness {
  readonly cluster: TestCluster;
  readonly service: BucketService;
  readonly outside: FaultyFetch;
}

async function harness(options: Omit<BucketServiceOptions, "clock"> = {}): Promise<StoreHarness & AsyncDisposable> {
  const cluster = await testCluster({ kinds: [Store] });
  const service = new BucketService({ clock: cluster.clock, ...options });
  const outside = faultyFetch(service.fetch, { clock: cluster.clock });
  return { cluster, service, outside, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

describe("external", () => {
  test("creates the resource once, polls while it is busy, and returns its value", async () => {
    await using world = await harness({ workMs: 12_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const early = await cluster.untilSettled(Store, "a");
    expect(early).toHaveCondition("BucketReady", "False", { severity: "Info", message: "building" });
    expect(early.status?.bucket).toBe("bucket-1");
    await cluster.clock.advance(15_000);
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toBeReady();
    expect(object.status?.note).toBe("bucket-1 of 3");
    expect(service.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "PUT", "GET", "GET", "GET"]);
  });

  test("updates changed fields without recreating; a settled resource causes no requests", async () => {
    await using world = await harness();
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Store, "a")).toBeReady();
    await cluster.patch(Store, "a", { spec: { size: 4 } });
    await cluster.clock.advance(5_000);
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toBeReady();
    expect(service.buckets).toMatchObject([{ id: "bucket-1", size: 4 }]);
    const requests = service.requests.length;
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(3_600_000);
    expect([service.requests.length, cluster.faults.count(isWrite)]).toEqual([requests, writes]);
  });

  test("checks a settled resource every driftMs, and recreates it when it is missing", async () => {
    await using world = await harness();
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch, { driftMs: 60_000 }));
    const { metadata } = await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(5_000);
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
    service.lose(metadata.uid);
    await cluster.clock.advance(65_000);
    expect(await cluster.untilSettled(Store, "a")).toBeReady();
    expect(service.buckets).toMatchObject([{ id: "bucket-2" }]);
  });

  test("deletion waits until the resource is gone", async () => {
    await using world = await harness({ workMs: 7_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(10_000);
    await cluster.delete(Store, "a");
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toHaveCondition("Ready", "False", { reason: "Deleting", message: "BucketReady: being deleted" });
    await cluster.clock.advance(10_000);
    await cluster.untilDeleted(Store, "a");
    expect(service.buckets).toEqual([]);
  });

  test("deletion removes a resource that reads do not show yet", async () => {
    await using world = await harness({ lagMs: 60_000 });
    const { cluster, service } = world;
    cluster.run(storeOperator(world.outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.untilIdle();
    expect(service.buckets).toHaveLength(1);
    await cluster.delete(Store, "a");
    await cluster.clock.advance(5_000);
    await cluster.untilDeleted(Store, "a");
    expect(service.buckets).toEqual([]);
  });

  test("a resource without delete outlives the object, which has no finalizer", async () => {
    await using world = await harness();
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
    expect((await cluster.untilSettled(Store, "a")).metadata.finalizers ?? []).toEqual([]);
    await cluster.delete(Store, "a");
    await cluster.untilDeleted(Store, "a");
    expect(service.buckets).toHaveLength(1);
  });

  test("a call may return its own result", async () => {
    await using world = await harness();
    const { cluster } = world;
    cluster.run(storeOperator(world.outside.fetch, { apply: async () => terminal("the quota is used up") }));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toHaveCondition("BucketReady", "False", { severity: "Error", message: "the quota is used up" });
  });

  test("an invalid duration is rejected at declaration with the name of the step", () => {
    const calls = { observe: async () => ({ state: "absent" }) as const, apply: async () => terminal("no") };
    expect(() => external(Store, "Bucket", { ...calls, pollMs: 0 })).toThrow(
      "step Bucket: pollMs must be a number of milliseconds above 0, not 0",
    );
  });
});

describe("a service that fails", () => {
  test("and never responds times out one call, is reported in the condition, and is retried", async () => {
    await using world = await harness();
    const { cluster, outside } = world;
    outside.failNth(1, { kind: "hang" });
    cluster.run(storeOperator(outside.fetch));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(30_000);
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("BucketReady", "False", {
      severity: "Warning",
      message: "observe: deadline exceeded: not finished within 30 s",
    });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Store, "a")).toBeReady();
  });

  test("on the network is not a programming error of the step", async () => {
    await using world = await harness();
    const { cluster } = world;
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:1");
    const down: Fetch = () => Promise.reject(new TypeError("fetch failed", { cause: refused }));
    cluster.run(storeOperator(down));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("BucketReady", "False", {
      severity: "Warning",
      message: "observe: connect ECONNREFUSED 127.0.0.1:1",
    });
    expect(cluster.logs.filter(({ message }) => message === "step failed with a programming error")).toEqual([]);
  });

  test.each([
    ["a failure", (text: string) => new Error(text, { cause: new Error("inside") })],
    ["a defect", (text: string) => new TypeError(text)],
  ])("reveals no secrets in the status or the log, for %s", async (_what, thrown) => {
    await using world = await harness();
    const { cluster } = world;
    const text = "GET https://me:s3cret@buckets.invalid/b?token=s3cret failed: Authorization: Bearer s3cret";
    cluster.run(storeOperator(() => Promise.reject(thrown(text))));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.untilSettled(Store, "a");
    expect(object.status?.conditions?.[0]?.message).toContain("GET https://buckets.invalid/b failed");
    expect(JSON.stringify([object, cluster.logs])).not.toContain("s3cret");
  });
});

test("credentials in a URL are removed anywhere in a text", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_~.-]{8,12}$/u);
  fc.assert(
    fc.property(word, word, word, fc.string(), fc.string(), (user, password, token, before, after) => {
      const clean = redactCredentials(`${before} https://${user}:${password}@h.invalid/p?a=${token}#x ${after}`);
      const plain = redactCredentials(`${before} https://h.invalid/p ${after}`);
      expect(clean).toBe(plain);
    }),
  );
});

/** Creates, changes and deletes a Store under faults, and checks the invariants at the end. */
async function runLifecycle(world: StoreHarness, start: () => Promise<void>): Promise<void> {
  const { cluster, service } = world;
  const getStore = async (): Promise<ObjectOf<Store> | undefined> => {
    for (let round = 0; round < 3; round++) {
      await cluster.clock.advance(60_000);
      await cluster.untilIdle();
      await start();
    }
    return cluster.get(Store, "a");
  };
  await cluster.apply(Store, { name: "a", spec: { size: 3 } });
  await start();
  expect(await getStore()).toBeReady();
  await cluster.patch(Store, "a", { spec: { size: 4 } });
  const object = await getStore();
  expect(object).toBeReady();
  expect(object?.status?.note).toBe("bucket-1 of 4");
  expect(service.made).toBe(1);
  expect(service.buckets).toMatchObject([{ size: 4 }]);
  await cluster.delete(Store, "a");
  expect(await getStore()).toBeUndefined();
  expect(service.buckets).toEqual([]);
  expect(service.made).toBe(1);
}

describe("at any one moment", () => {
  const LAGS = [0, 8_000];
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "hang" },
    { kind: "duplicate" },
    { kind: "delay", ms: 45_000 },
  ];

  test.each(LAGS.flatMap((lagMs) => faults.map((fault) => [fault.kind, lagMs, fault] as const)))(
    "%s of a call, with reads that are %i ms old: one bucket, correct at the end, and none left",
    async (_kind, lagMs, fault) => {
      let calls = 1;
      for (let nth = 1; nth <= calls; nth++) {
        await using world = await harness({ workMs: 3_000, lagMs });
        world.outside.failNth(nth, fault);
        let running = false;
        await runLifecycle(world, async () => {
          if (!running) world.cluster.run(storeOperator(world.outside.fetch));
          running = true;
        });
        calls = world.outside.requests.length;
      }
      expect(calls).toBeGreaterThan(5);
    },
  );

  test.each(LAGS)(
    "a crash after any cluster request or external call, with reads that are %i ms old",
    async (lagMs) => {
      for (const where of ["cluster", "outside"] as const) {
        let requests = 1;
        for (let nth = 1; nth <= requests; nth++) {
          await using world = await harness({ workMs: 3_000, lagMs });
          const breaking = where === "cluster" ? world.cluster.faults : world.outside;
          breaking.failNth(nth, { kind: "crash" }, where === "cluster" ? isWrite : () => true);
          let running: { stop(): Promise<void> } | undefined;
          await runLifecycle(world, async () => {
            if (running !== undefined && !breaking.isCrashed) return;
            await running?.stop();
            breaking.restart();
            running = world.cluster.run(storeOperator(world.outside.fetch));
          });
          requests = where === "cluster" ? breaking.count(isWrite) : breaking.requests.length;
        }
        expect(requests).toBeGreaterThan(5);
      }
    },
  );
});
