import { ConfigMap, DeclarationError, Deployment, kind, s, Secret } from "@levelset/core";
import type { NewOf, ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { step, wait } from "../engine/index.ts";
import type { Step } from "../engine/index.ts";
import { operator } from "../manager/index.ts";
import { child, dependency, external, subresource, subresources, workload } from "./index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Shop = kind({
  ...GROUP,
  kind: "Shop",
  spec: s.object({ isOpen: s.boolean().default(true), value: s.string().default("1") }),
  status: s.object({ url: s.string().optional(), other: s.string().optional() }),
});
type Shop = typeof Shop;
type Spec = ObjectOf<Shop>["spec"];
const Part = kind({ ...GROUP, kind: "Part", spec: s.object({ value: s.string() }) });

/** A step that waits for a Secret. */
const gate: Step<Shop> = dependency(Shop, "Gate", { kind: Secret, name: () => "gate" });

const settingsOf = ({ isOpen, value }: Spec): NewOf<typeof ConfigMap> | undefined =>
  isOpen ? { metadata: { name: "settings" }, data: { value } } : undefined;

const settings = (keep: readonly ("url" | "other")[]): Step<Shop> =>
  child(Shop, "Settings", {
    kind: ConfigMap,
    desired: ({ spec }) => settingsOf(spec),
    status: (req, { data }) => {
      req.status.other = "settings";
      if (data?.["value"] !== "") req.status.url = `https://shop/${data?.["value"]}`;
    },
    keep,
  });

async function opened(steps: readonly Step<Shop>[]): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(operator(Shop, steps));
  await cluster.create(Secret, { name: "gate" });
  await cluster.create(Shop, { name: "a", spec: {} });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  return cluster;
}

async function status(
  cluster: TestCluster,
): Promise<{ readonly url?: string | undefined; readonly other?: string | undefined }> {
  const { url, other } = (await cluster.untilSettled(Shop, "a")).status ?? {};
  return { url, other };
}

describe("a field that a child step keeps", () => {
  test("stays during an outage of an earlier step, and other fields do not", async () => {
    await using cluster = await opened([gate, settings(["url"])]);
    expect(await status(cluster)).toEqual({ url: "https://shop/1", other: "settings" });
    await cluster.delete(Secret, "gate");
    expect(await status(cluster)).toEqual({ url: "https://shop/1", other: undefined });
    await cluster.create(Secret, { name: "gate" });
    expect(await status(cluster)).toEqual({ url: "https://shop/1", other: "settings" });
    const urls = cluster.history(Shop, "a").map((version) => version.status?.url);
    expect(new Set(urls.slice(urls.indexOf("https://shop/1")))).toEqual(new Set(["https://shop/1"]));
  });

  test("stays in the next process", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(operator(Shop, [gate, settings(["url"])]));
    await cluster.create(Secret, { name: "gate" });
    await cluster.create(Shop, { name: "a", spec: {} });
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await cluster.delete(Secret, "gate");
    cluster.run(operator(Shop, [gate, settings(["url"])]));
    expect(await status(cluster)).toEqual({ url: "https://shop/1", other: undefined });
  });

  test("changes with the child, and is dropped when its callback no longer writes it", async () => {
    await using cluster = await opened([gate, settings(["url"])]);
    await cluster.patch(Shop, "a", { spec: { value: "2" } });
    expect((await status(cluster)).url).toBe("https://shop/2");
    await cluster.patch(Shop, "a", { spec: { value: "" } });
    expect((await status(cluster)).url).toBeUndefined();
  });

  test("is dropped when the child is no longer desired", async () => {
    await using cluster = await opened([gate, settings(["url"])]);
    await cluster.patch(Shop, "a", { spec: { isOpen: false } });
    expect(await status(cluster)).toEqual({ url: undefined, other: undefined });
  });

  test("is dropped when the object is deleted", async () => {
    const hold = step(Shop, "Hold", { cleanup: () => wait("held") });
    await using cluster = await opened([gate, hold, settings(["url"])]);
    await cluster.delete(Shop, "a");
    expect(await status(cluster)).toEqual({ url: undefined, other: undefined });
  });

  test("costs no writes once settled, also during an outage", async () => {
    await using cluster = await opened([gate, settings(["url"])]);
    await cluster.delete(Secret, "gate");
    await cluster.untilIdle();
    const writes = cluster.faults.count(isWrite);
    await cluster.patch(Shop, "a", { metadata: { labels: { touched: "true" } } });
    await cluster.clock.advance(600_000);
    await cluster.untilIdle();
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("is rejected at start-up if the kind lacks it, if two steps keep it, or if no callback writes it", () => {
    // @ts-expect-error The status of Shop has no such field.
    expect(() => operator(Shop, [settings(["size"])])).toThrow("preserves status.size, which Shop does not have");
    const again = { ...settings(["url"]), name: "Again" };
    expect(() => operator(Shop, [settings(["url"]), again])).toThrow("step Settings preserves already");
    const desired = (): NewOf<typeof ConfigMap> => ({ metadata: { name: "c" } });
    expect(() => child(Shop, "Settings", { kind: ConfigMap, desired, keep: ["url"] })).toThrow(DeclarationError);
  });
});

describe("a field stays while its source is not ready", () => {
  /** Runs one step that keeps `url`, makes its source not ready, and returns the status before and after. */
  async function duringOutage(
    step: Step<Shop>,
    start: (cluster: TestCluster) => Promise<unknown>,
    stop: (cluster: TestCluster) => Promise<unknown>,
  ): Promise<readonly unknown[]> {
    await using cluster = await testCluster({ kinds: [Part, Shop] });
    cluster.run(operator(Shop, [step]));
    await cluster.create(Shop, { name: "a", spec: {} });
    await cluster.untilIdle();
    await start(cluster);
    const ready = await cluster.untilSettled(Shop, "a");
    expect(ready).toBeReady();
    await stop(cluster);
    await cluster.clock.advance(10_000);
    const after = await cluster.untilSettled(Shop, "a");
    expect(after).not.toBeReady();
    const gone = await cluster.patch(Shop, "a", { spec: { isOpen: false } });
    expect(gone.metadata.generation).toBe(2);
    await cluster.clock.advance(10_000);
    const { url } = (await cluster.untilSettled(Shop, "a")).status ?? {};
    return [ready.status?.url, after.status?.url, url];
  }

  const partOf = (spec: Spec): NewOf<typeof Part> => ({ metadata: { name: "p" }, spec: { value: spec.value } });
  const report = (state: "True" | "False") => (cluster: TestCluster) =>
    cluster.patchStatus(Part, "p", {
      observedGeneration: 1,
      conditions: [
        { type: "Ready", status: state, reason: "Test", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ],
    });

  test("of a sub CR, until it is no longer desired", async () => {
    const part = subresource(Shop, "Part", {
      kind: Part,
      desired: ({ spec }) => (spec.isOpen ? partOf(spec) : undefined),
      status: (req) => {
        req.status.url = "part";
      },
      keep: ["url"],
    });
    expect(await duringOutage(part, report("True"), report("False"))).toEqual(["part", "part", undefined]);
  });

  test("of a set of sub CRs, until the callback writes another value", async () => {
    const parts = subresources(Shop, "Parts", {
      kind: Part,
      desired: ({ spec }) => (spec.isOpen ? [partOf(spec)] : []),
      status: (req, all) => {
        req.status.url = `${all.length} parts`;
      },
      keep: ["url"],
    });
    expect(await duringOutage(parts, report("True"), report("False"))).toEqual(["1 parts", "1 parts", "0 parts"]);
  });

  test("of a dependency", async () => {
    const other = dependency(Shop, "Other", {
      kind: Secret,
      name: () => "other",
      status: (req, { metadata }) => {
        req.status.url = metadata.name;
      },
      keep: ["url"],
    });
    const start = (cluster: TestCluster): Promise<unknown> => cluster.create(Secret, { name: "other" });
    const stop = (cluster: TestCluster): Promise<unknown> => cluster.delete(Secret, "other");
    expect(await duringOutage(other, start, stop)).toEqual(["other", "other", "other"]);
  });

  test("of a workload, until it is no longer desired", async () => {
    const labels = { app: "a" };
    const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "main", image }] } });
    const server = workload(Shop, "Server", {
      kind: Deployment,
      desired: ({ spec }) =>
        spec.isOpen
          ? {
              metadata: { name: "d" },
              spec: { replicas: 0, selector: { matchLabels: labels }, template: template(`web:${spec.value}`) },
            }
          : undefined,
      status: (req) => {
        req.status.url = "server";
      },
      keep: ["url"],
    });
    const observed = (observedGeneration: number) => (cluster: TestCluster) =>
      cluster.patchStatus(Deployment, "d", { observedGeneration });
    const change = (cluster: TestCluster): Promise<unknown> =>
      cluster.patch(Deployment, "d", { spec: { minReadySeconds: 5 } });
    expect(await duringOutage(server, observed(1), change)).toEqual(["server", "server", undefined]);
  });

  test("of an external resource, until it is absent", async () => {
    let state: "current" | "down" | "absent" = "current";
    const bucket = external(Shop, "Bucket", {
      observe: ({ spec }) => {
        if (!spec.isOpen) state = "absent";
        if (state === "down") throw new Error("the service answers 503");
        return Promise.resolve(state === "absent" ? { state } : { state, value: "bucket" });
      },
      apply: () => Promise.resolve({ state: "absent" }),
      status: (req, value) => {
        req.status.url = value;
      },
      keep: ["url"],
      pollMs: 1_000,
      driftMs: 1_000,
    });
    const stop = (): Promise<unknown> => {
      state = "down";
      return Promise.resolve();
    };
    expect(await duringOutage(bucket, () => Promise.resolve(), stop)).toEqual(["bucket", "bucket", undefined]);
  });
});

test("without keep a field vanishes with an outage", async () => {
  await using cluster = await opened([gate, settings([])]);
  await cluster.delete(Secret, "gate");
  expect(await status(cluster)).toEqual({ url: undefined, other: undefined });
});
