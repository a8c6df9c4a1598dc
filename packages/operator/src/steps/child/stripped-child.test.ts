import { ConfigMap, kind, s, Secret } from "@levelset/core";
import type { KubeObject, NewOf } from "@levelset/core";
import { childFinalizerName, controllingOwnerUid } from "@levelset/core/internal";
import { isWatch } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { child } from "../index.ts";
import { foreignWriter } from "./foreign-writer.fixture.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Shop = kind({ ...GROUP, kind: "Shop", spec: s.object({ child: s.string().optional() }) });
type Shop = typeof Shop;
const HELD = childFinalizerName(Shop);

interface Hold {
  readonly owned?: boolean;
  readonly protect?: boolean;
  readonly adopt?: boolean;
}
const HOLDS: readonly Hold[] = [{}, { protect: true }, { owned: false }, { owned: false, protect: true }];

function shops(hold: Hold): Operator<Shop> {
  const desired = ({
    spec,
  }: {
    readonly spec: { readonly child?: string | undefined };
  }): NewOf<typeof ConfigMap> | undefined =>
    spec.child === undefined ? undefined : { metadata: { name: spec.child }, data: { a: "1" } };
  return operator(Shop, [child(Shop, "Settings", { ...hold, condition: "SettingsReady", kind: ConfigMap, desired })]);
}

async function opened(hold: Hold): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(shops(hold));
  await cluster.create(Shop, { name: "a", spec: { child: "c" } });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  return cluster;
}

/** Merge patches that remove what connects a child with its owner. */
const LABEL = { labels: { "levelset.dev/owner-uid": null } };
const NOTE = { annotations: { "levelset.dev/owner": null } };
const STRIPS: readonly object[] = [
  { ownerReferences: null },
  { ownerReferences: null, ...LABEL },
  { ownerReferences: null, ...NOTE },
  { ownerReferences: null, ...LABEL, ...NOTE },
];

const strip = (cluster: TestCluster, metadata: object): Promise<unknown> => cluster.patch(ConfigMap, "c", { metadata });

/** What identifies a child and its owner. */
function marks({ metadata }: KubeObject): unknown {
  const { uid, labels, annotations, ownerReferences, finalizers } = metadata;
  return { uid, labels, annotations, ownerReferences, finalizers };
}

describe.each(HOLDS)("a child with %j", (hold) => {
  test.each(STRIPS)("is repaired after another client applied %j", async (metadata) => {
    await using cluster = await opened(hold);
    const before = await cluster.untilSettled(ConfigMap, "c");
    await strip(cluster, metadata);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(marks(await cluster.untilSettled(ConfigMap, "c"))).toEqual(marks(before));
  });

  test.each(STRIPS)("is repaired by the next process after %j", async (metadata) => {
    await using cluster = await testCluster();
    const first = cluster.run(shops(hold));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    const before = await cluster.untilSettled(ConfigMap, "c");
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await strip(cluster, metadata);
    cluster.run(shops(hold));
    await cluster.untilIdle();
    expect(marks(await cluster.untilSettled(ConfigMap, "c"))).toEqual(marks(before));
  });
});

describe("a stripped child is left alone", () => {
  test("if its owner was deleted and recreated under the same name", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(shops({}));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await strip(cluster, { ownerReferences: null });
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    const left = await cluster.untilSettled(ConfigMap, "c");
    cluster.run(shops({}));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", { reason: "NotOurs" });
    expect((await cluster.get(ConfigMap, "c"))?.metadata.resourceVersion).toBe(left.metadata.resourceVersion);
  });

  test("if another object of the same kind desires it, which costs no request", async () => {
    await using cluster = await opened({});
    await cluster.create(Shop, { name: "b", spec: { child: "c" } });
    await cluster.untilIdle();
    const before = cluster.faults.count((request) => request.path.endsWith("/configmaps/c"));
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Shop, "b")).toHaveCondition("SettingsReady", "False", { reason: "NotOurs" });
    expect(cluster.faults.count((request) => request.path.endsWith("/configmaps/c"))).toBe(before);
  });

  test("if another owner controls it now", async () => {
    await using cluster = await opened({});
    const { metadata } = await cluster.create(Secret, { name: "b" });
    const other = { apiVersion: "v1", kind: "Secret", name: "b", uid: metadata.uid, controller: true };
    await strip(cluster, { ownerReferences: [other] });
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", { reason: "NotOurs" });
    expect((await cluster.get(ConfigMap, "c"))?.metadata.ownerReferences).toEqual([other]);
  });

  test("if another client made it as a copy, with all annotations", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(shops({}));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    const { metadata } = await cluster.untilSettled(ConfigMap, "c");
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await cluster.delete(ConfigMap, "c");
    await cluster.create(ConfigMap, { name: "c", annotations: metadata.annotations ?? {} });
    cluster.run(shops({}));
    await cluster.untilIdle();
    expect(controllingOwnerUid(await cluster.untilSettled(ConfigMap, "c"))).toBeUndefined();
  });
});

test("a child that another client keeps stripping is contested", async () => {
  await using cluster = await testCluster();
  foreignWriter(cluster, ConfigMap, ({ metadata }) =>
    metadata.ownerReferences === undefined ? undefined : { patch: { metadata: { ownerReferences: null } } },
  );
  cluster.run(shops({}));
  await cluster.create(Shop, { name: "a", spec: { child: "c" } });
  await cluster.untilIdle();
  await cluster.clock.advance(60_000);
  expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", { reason: "Contested" });
});

describe("a child that has only its owner label left", () => {
  test.each([{ owned: false }, { owned: false, protect: true }])("is deleted with its owner: %j", async (hold) => {
    await using cluster = await testCluster();
    const first = cluster.run(shops(hold));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await strip(cluster, NOTE);
    await cluster.delete(Shop, "a");
    cluster.run(shops(hold));
    await cluster.untilDeleted(Shop, "a");
    expect(await cluster.get(ConfigMap, "c")).toBeUndefined();
  });

  test("is deleted when it is no longer desired", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(shops({ owned: false }));
    await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await strip(cluster, NOTE);
    await cluster.patch(Shop, "a", { spec: { child: "d" } });
    cluster.run(shops({ owned: false }));
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect((await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name)).toEqual(["d"]);
  });

  test("stays if another client wrote it", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(shops({ owned: false }));
    const { metadata } = await cluster.create(Shop, { name: "a", spec: { child: "c" } });
    await cluster.untilSettled(Shop, "a");
    await first.stop();
    await cluster.create(ConfigMap, {
      name: "theirs",
      labels: { "levelset.dev/owner-uid": metadata.uid },
      annotations: { "levelset.dev/step": "Settings/default/theirs" },
    });
    await cluster.delete(Shop, "a");
    cluster.run(shops({ owned: false }));
    await cluster.untilDeleted(Shop, "a");
    expect((await cluster.list(ConfigMap, "default")).map((left) => left.metadata.name)).toEqual(["theirs"]);
  });
});

describe("an object that is deleted with orphan propagation", () => {
  const orphan = (cluster: TestCluster): Promise<unknown> =>
    new Client({ fetch: cluster.fetch, fieldManager: "kubectl" }).delete(
      Shop,
      { namespace: "default", name: "a" },
      { propagationPolicy: "Orphan" },
    );

  test.each(HOLDS)("leaves a child with %j", async (hold) => {
    await using cluster = await opened(hold);
    const before = await cluster.untilSettled(ConfigMap, "c");
    await orphan(cluster);
    await cluster.untilDeleted(Shop, "a");
    await cluster.clock.advance(600_000);
    const left = await cluster.untilSettled(ConfigMap, "c");
    expect(left.metadata).toMatchObject({ uid: before.metadata.uid });
    expect(left.metadata.finalizers ?? []).toEqual([]);
    expect(controllingOwnerUid(left)).toBeUndefined();
  });

  test.each(HOLDS)("leaves a child with %j to an object that adopts", async (hold) => {
    await using cluster = await opened({ ...hold, adopt: true });
    const before = await cluster.untilSettled(ConfigMap, "c");
    await orphan(cluster);
    await cluster.untilDeleted(Shop, "a");
    await cluster.create(Shop, { name: "b", spec: { child: "c" } });
    expect(await cluster.untilSettled(Shop, "b")).toBeReady();
    const adopted = await cluster.untilSettled(ConfigMap, "c");
    expect(adopted.metadata.uid).toBe(before.metadata.uid);
    expect(adopted.metadata.finalizers ?? []).toEqual(hold.protect === true ? [HELD] : []);
  });

  const isCall: RequestFilter = (request) => !isWatch(request);
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "status", reason: "Conflict" },
  ];
  test.each(faults)("leaves its children when any one request fails with %j", async (fault) => {
    for (let nth = 1; nth <= 6; nth++) {
      await using cluster = await opened({ owned: false, protect: true });
      cluster.faults.failNth(nth, fault, isCall);
      await orphan(cluster).catch(() => orphan(cluster));
      await cluster.untilIdle();
      await cluster.clock.advance(60_000);
      await cluster.untilDeleted(Shop, "a");
      const left = await cluster.untilSettled(ConfigMap, "c");
      expect([left.metadata.finalizers ?? [], controllingOwnerUid(left)]).toEqual([[], undefined]);
    }
  });
});
