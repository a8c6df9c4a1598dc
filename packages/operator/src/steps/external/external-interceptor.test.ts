import { kind, Namespace, s, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { ExternalHeldBack, ok, reference, step } from "../../engine/index.ts";
import type { ExternalCall, ExternalInterceptor } from "../../engine/index.ts";
import { operator, runOperators } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { external } from "./external.ts";

const Store = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Store",
  spec: s.object({ size: s.int32() }),
  status: s.object({ bucket: s.string().optional(), note: s.string().optional() }),
});

const HOUR_MS = 3_600_000;

interface Service {
  readonly operator: Operator<typeof Store>;
  /** The calls that reached the service. */
  readonly made: string[];
}

function storeService(): Service {
  const made: string[] = [];
  const sizes = new Map<string, number>();
  const bucket = external(Store, "Bucket", {
    driftMs: 60_000,
    reads: [reference(Store, Secret, () => "password")],
    observe: async (req) => {
      made.push("observe");
      const size = sizes.get(req.object.metadata.uid);
      if (size === undefined) return { state: "absent" };
      return { state: size === req.spec.size ? "current" : "outdated", value: size };
    },
    apply: async (req) => {
      made.push("apply");
      sizes.set(req.object.metadata.uid, req.spec.size);
      return { state: "current", value: req.spec.size };
    },
    delete: async (req) => {
      made.push("delete");
      sizes.delete(req.object.metadata.uid);
      return "deleted";
    },
  });
  const note = step(Store, "Note", {
    uses: [bucket],
    do: (req) => {
      req.status.note = `size ${req.from(bucket)}`;
      return ok();
    },
  });
  return { operator: operator(Store, [bucket, note]), made };
}

/** Runs the operator with an interceptor, as a simulation or a plan does. */
function runWith(cluster: TestCluster, { operator: own }: Service, externalInterceptor: ExternalInterceptor): void {
  cluster.run({
    name: own.name,
    kinds: own.kinds,
    start: (world) => runOperators([own], world, { externalInterceptor }),
  });
}

/** Records all calls and makes those for which `isMade` returns true. */
class Recorder implements ExternalInterceptor {
  readonly calls: ExternalCall[] = [];
  readonly #isMade: (call: ExternalCall) => boolean;

  constructor(isMade: (call: ExternalCall) => boolean) {
    this.#isMade = isMade;
  }

  get verbs(): readonly string[] {
    return this.calls.map(({ verb }) => verb);
  }

  intercept<Answer>(call: ExternalCall, make: () => Promise<Answer>): Promise<Answer> {
    this.calls.push(call);
    return this.#isMade(call) ? make() : Promise.reject(new ExternalHeldBack());
  }
}

describe("an interceptor of external calls", () => {
  test("receives every call with its step and object, and passes on the answer", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    const service = storeService();
    const recorder = new Recorder(() => true);
    runWith(cluster, service, recorder);
    const { metadata } = await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toBeReady();
    expect(object.status?.note).toBe("size 3");
    await cluster.delete(Store, "a");
    await cluster.untilDeleted(Store, "a");
    expect(recorder.verbs).toEqual(["observe", "apply", "delete"]);
    expect(service.made).toEqual(recorder.verbs);
    const { apiVersion, kind: name } = object;
    expect(recorder.calls[0]).toEqual({
      verb: "observe",
      step: "Bucket",
      object: { apiVersion, kind: name, namespace: "default", name: "a", uid: metadata.uid, generation: 1 },
    });
  });

  test("fails the call with its own error, which is retried", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    const service = storeService();
    let failures = 1;
    runWith(cluster, service, {
      intercept: (_call, make) => (failures-- > 0 ? Promise.reject(new Error("lost")) : make()),
    });
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("Bucket", "False", { message: "observe: lost" });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Store, "a")).toBeReady();
  });

  test("may delay a call beyond its timeout", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    runWith(cluster, storeService(), { intercept: () => new Promise(() => {}) });
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    await cluster.clock.advance(30_000);
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("Bucket", "False", {
      message: "observe: deadline exceeded: not finished within 30 s",
    });
  });
});

describe("a call that is held back", () => {
  test("makes the step wait without retries", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    const service = storeService();
    const recorder = new Recorder(() => false);
    runWith(cluster, service, recorder);
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    const object = await cluster.untilSettled(Store, "a");
    expect(object).toHaveCondition("Bucket", "False", { severity: "Info", message: "external call held back" });
    expect(object.status?.note).toBeUndefined();
    await cluster.clock.advance(HOUR_MS);
    expect(recorder.verbs).toEqual(["observe"]);
    expect(service.made).toEqual([]);
  });

  test("is recognized if another installation of the package holds it back", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    const foreign = Object.assign(new Error("external call held back"), { name: "ExternalHeldBack" });
    runWith(cluster, storeService(), { intercept: () => Promise.reject(foreign) });
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("Bucket", "False", { severity: "Info" });
  });

  test("may follow a call that is made", async () => {
    await using cluster = await testCluster({ kinds: [Store] });
    const service = storeService();
    runWith(cluster, service, new Recorder(({ verb }) => verb === "observe"));
    await cluster.apply(Store, { name: "a", spec: { size: 3 } });
    expect(await cluster.untilSettled(Store, "a")).toHaveCondition("Bucket", "False", {
      message: "external call held back",
    });
    expect(service.made).toEqual(["observe"]);
  });

  test.each(["default", "shop"])("keeps the finalizer of an object that is deleted in %s", async (namespace) => {
    await using cluster = await testCluster({ kinds: [Store] });
    await cluster.create(Namespace, { name: "shop" });
    const service = storeService();
    runWith(cluster, service, new Recorder(({ verb }) => verb !== "delete"));
    await cluster.apply(Store, { name: "a", namespace, spec: { size: 3 } });
    await cluster.untilIdle();
    // The Secret that the calls read does not exist, so that a failed cleanup of a deleted namespace would be skipped.
    await (namespace === "shop" ? cluster.delete(Namespace, namespace) : cluster.delete(Store, "a"));
    await cluster.clock.advance(HOUR_MS);
    const object = await cluster.untilSettled(Store, "a", namespace);
    expect(object.metadata.finalizers).toHaveLength(1);
    expect(object).toHaveCondition("Bucket", "False", { message: "external call held back" });
    expect(service.made).not.toContain("delete");
  });
});
