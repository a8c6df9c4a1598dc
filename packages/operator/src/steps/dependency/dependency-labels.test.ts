import { kind, Namespace, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import type { LabelQuery, OutputOf, Step } from "../../engine/index.ts";
import { dependency } from "./dependency.ts";
import { Child, Parent, reportStatus } from "../child/parent-child.fixture.ts";

type Labels = (object: ObjectOf<Parent>) => LabelQuery;
const byTier: Labels = ({ spec }) => ({ tier: `t${spec.value}` });

function one(labels: Labels = byTier, mustExist = false): readonly Step<Parent>[] {
  const found = dependency(Parent, "Child", { condition: "ChildReady", kind: Child, labels, mustExist });
  const use = step(Parent, "Use", {
    uses: [found],
    do: (req) => {
      req.status.sum = req.from(found).spec.value;
      return ok();
    },
  });
  return [found, use];
}

function all(): readonly Step<Parent>[] {
  const found = dependency(Parent, "Children", {
    condition: "ChildReady",
    kind: Child,
    labels: byTier,
    match: "all",
    status: (req, others) => {
      req.status.sum = others.reduce((sum, { spec }) => sum + spec.value, 0);
    },
  });
  return [found];
}

async function started(steps: readonly Step<Parent>[]): Promise<TestCluster> {
  const cluster = await testCluster({ kinds: [Child] });
  cluster.run(operator(Parent, steps));
  await cluster.apply(Parent, { name: "p", spec: { value: 1 } });
  return cluster;
}

async function member(cluster: TestCluster, name: string, tier = "t1", value = 1): Promise<void> {
  await cluster.create(Child, { name, labels: { tier }, spec: { value } });
  await reportStatus(cluster, name, 1, "True");
}

const parent = (cluster: TestCluster): Promise<ObjectOf<Parent>> => cluster.untilSettled(Parent, "p");

describe("a dependency by labels", () => {
  test.each([
    [false, "Info"],
    [true, "Warning"],
  ] as const)("is waited for without polling (mustExist %s: %s), and passed on", async (mustExist, severity) => {
    await using cluster = await started(one(byTier, mustExist));
    const message = "no child with the labels tier=t1 exists";
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { severity, message });
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
    await cluster.create(Child, { name: "a", labels: { tier: "t1" }, spec: { value: 7 } });
    expect(await parent(cluster)).toHaveCondition("ChildReady", "Unknown", { reason: "Init" });
    await reportStatus(cluster, "a", 1, "True");
    expect(await parent(cluster)).toBeReady();
    expect((await parent(cluster)).status?.sum).toBe(7);
    expect(cluster.writes(Child, "a")).toBe(0);
  });

  test("that matches several objects is not ok and names them, until one is left", async () => {
    await using cluster = await started(one());
    for (const name of ["f", "e", "d", "c", "b", "a", "g"]) await member(cluster, name);
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      severity: "Warning",
      reason: "Ambiguous",
      message:
        "7 children have the labels tier=t1, but one is needed: child/a, child/b, child/c, child/d, child/e and 2 more",
    });
    for (const name of ["b", "c", "d", "e", "f"]) await cluster.delete(Child, name);
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      message: "2 children have the labels tier=t1, but one is needed: child/a, child/g",
    });
    await cluster.patch(Child, "g", { metadata: { labels: { tier: "t2" } } });
    expect(await parent(cluster)).toBeReady();
  });

  test("ignores an object that is being deleted if there is another one", async () => {
    await using cluster = await started(one());
    await cluster.create(Child, {
      name: "old",
      labels: { tier: "t1" },
      finalizers: ["other.dev/f"],
      spec: { value: 1 },
    });
    await reportStatus(cluster, "old", 1, "True");
    expect(await parent(cluster)).toBeReady();
    await cluster.delete(Child, "old");
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { message: "child/old is being deleted" });
    await member(cluster, "new", "t1", 2);
    expect(await parent(cluster)).toBeReady();
    expect((await parent(cluster)).status?.sum).toBe(2);
  });

  test("tracks changes of the selector and of matching objects", async () => {
    await using cluster = await started(one());
    await member(cluster, "a", "t1", 1);
    await member(cluster, "b", "t2", 2);
    expect((await parent(cluster)).status?.sum).toBe(1);
    await cluster.patch(Parent, "p", { spec: { value: 2 } });
    expect((await parent(cluster)).status?.sum).toBe(2);
    await cluster.patch(Child, "b", { metadata: { labels: { tier: null } } });
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      message: "no child with the labels tier=t2 exists",
    });
    await cluster.patch(Child, "a", { metadata: { labels: { tier: "t2" } } });
    expect((await parent(cluster)).status?.sum).toBe(1);
    await cluster.delete(Child, "a");
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { reason: "Requested" });
  });

  test.each<[string, Labels]>([
    ["tier in (t1,t9)", () => ({ matchExpressions: [{ key: "tier", operator: "In", values: ["t1", "t9"] }] })],
    ["tier", () => ({ matchExpressions: [{ key: "tier", operator: "Exists" }] })],
    ["!hidden", () => ({ matchExpressions: [{ key: "hidden", operator: "DoesNotExist" }] })],
    ["tier=t1", () => ({ matchLabels: { tier: "t1" } })],
  ])("accepts a selector: %s", async (text, labels) => {
    await using cluster = await started(one(labels));
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      message: `no child with the labels ${text} exists`,
    });
    await cluster.create(Child, { name: "no", labels: { hidden: "yes" }, spec: { value: 1 } });
    await member(cluster, "a");
    expect(await parent(cluster)).toBeReady();
    await cluster.patch(Child, "a", { metadata: { labels: { tier: null, hidden: "yes" } } });
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { reason: "Requested" });
  });

  test.each<[string, Labels, string]>([
    ["no labels", () => ({}), "step Child: the object has no labels to select a Child"],
    [
      "an unknown operator",
      () => ({ matchExpressions: [{ key: "tier", operator: "Like", values: ["x"] }] }),
      "step Child: label 'tier': 'Like' is not one of the operators In, NotIn, Exists, DoesNotExist",
    ],
  ])("with %s is an error that causes no further requests", async (_name, labels, message) => {
    await using cluster = await started(one(labels));
    await member(cluster, "a");
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { severity: "Error", message });
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("matches in the namespace of the object, or in all namespaces if the object is cluster-scoped", async () => {
    const Region = kind({
      group: "test.levelset.dev",
      version: "v1",
      kind: "Region",
      spec: s.object({}),
      scope: "Cluster",
    });
    await using cluster = await started(one());
    const labels = { tier: "t1" };
    cluster.run(
      operator(Region, [dependency(Region, "Child", { condition: "ChildReady", kind: Child, labels: () => labels })]),
    );
    await cluster.apply(Region, { name: "r", spec: {} });
    await cluster.apply(Namespace, { name: "far" });
    await cluster.create(Child, { name: "a", namespace: "far", labels, spec: { value: 1 } });
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", { reason: "Requested" });
    expect(await cluster.untilSettled(Region, "r")).toHaveCondition("ChildReady", "Unknown", { reason: "Init" });
    await cluster.create(Child, { name: "a", labels, spec: { value: 1 } });
    expect(await cluster.untilSettled(Region, "r")).toHaveCondition("ChildReady", "False", {
      message: "2 children have the labels tier=t1, but one is needed: child/a in default, child/a in far",
    });
  });

  test("can match the object's own kind, and coexists with a dependency by name", async () => {
    const Peer = kind({
      group: "test.levelset.dev",
      version: "v1",
      kind: "Peer",
      spec: s.object({ of: s.string().optional() }),
    });
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(
      operator(Peer, [
        dependency(Peer, "Named", { kind: Child, name: () => "c" }),
        dependency(Peer, "Labelled", { kind: Child, labels: () => ({ tier: "t1" }) }),
        dependency(Peer, "Peer", {
          condition: "PeerReady",
          kind: Peer,
          labels: ({ spec }) => ({ peer: spec.of ?? "" }),
        }),
      ]),
    );
    await member(cluster, "c");
    await cluster.apply(Peer, { name: "x", labels: { peer: "y" }, spec: { of: "x" } });
    expect(await cluster.untilSettled(Peer, "x")).toHaveCondition("PeerReady", "False", {
      message: "no peer with the labels peer=x exists",
    });
    await cluster.apply(Peer, { name: "y", labels: { peer: "x" }, spec: { of: "y" } });
    expect(await cluster.untilSettled(Peer, "x")).toHaveCondition("PeerReady", "Unknown", { message: /^peer\/y: / });
  });
});

describe("a dependency on all matching objects", () => {
  test("is ok when each is ready, and reports how many are not", async () => {
    await using cluster = await started(all());
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      severity: "Info",
      message: "no child with the labels tier=t1 exists",
    });
    await member(cluster, "b", "t1", 2);
    await member(cluster, "a", "t1", 3);
    expect(await parent(cluster)).toBeReady();
    expect((await parent(cluster)).status?.sum).toBe(5);
    await reportStatus(cluster, "a", 1, "False", { severity: "Warning", reason: "Slow" });
    await reportStatus(cluster, "b", 1, "False", { severity: "Info", reason: "Busy" });
    expect(await parent(cluster)).toHaveCondition("ChildReady", "False", {
      severity: "Warning",
      reason: "Slow",
      message: "child/a: set by the test (2 of 2 are not ready)",
    });
    await cluster.delete(Child, "a");
    await reportStatus(cluster, "b", 1, "True");
    expect((await parent(cluster)).status?.sum).toBe(2);
  });

  test("returns a list, and a dependency on one object returns one", () => {
    const [labels, name] = [byTier, () => "a"];
    const single = dependency(Parent, "A", { kind: Child, labels });
    const list = dependency(Parent, "B", { kind: Child, labels, match: "all" });
    const named = dependency(Parent, "C", { kind: Child, name });
    expectTypeOf<OutputOf<typeof single>>().toEqualTypeOf<ObjectOf<Child>>();
    expectTypeOf<OutputOf<typeof list>>().toEqualTypeOf<readonly ObjectOf<Child>[]>();
    expectTypeOf<OutputOf<typeof named>>().toEqualTypeOf<ObjectOf<Child>>();
    // @ts-expect-error name and labels exclude each other.
    expect(() => dependency(Parent, "D", { kind: Child, labels, name })).toThrow("give one of them");
    // @ts-expect-error A name selects one object.
    expect(() => dependency(Parent, "E", { kind: Child, name, match: "all" })).toThrow("needs labels");
    // @ts-expect-error One of them is required.
    expect(() => dependency(Parent, "F", { kind: Child })).toThrow("give name or labels");
    // @ts-expect-error Unknown value of match.
    expect(() => dependency(Parent, "G", { kind: Child, labels, match: "some" })).toThrow('not "some"');
    // @ts-expect-error A selector has matchLabels.
    dependency(Parent, "H", { kind: Child, labels: () => ({ matchLabel: { a: "b" } }) });
    // @ts-expect-error status of a list receives a list.
    dependency(Parent, "I", { kind: Child, labels, match: "all", status: (_req, { spec }) => spec });
  });
});
