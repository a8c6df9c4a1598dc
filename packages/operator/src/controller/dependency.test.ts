import { ConfigMap, kind, Namespace, s, Secret } from "@levelset/core";
import { annotatedOwnerOf, ownerAnnotations } from "@levelset/core/internal";
import { untilIdle } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, referenceByLabels, step, wait } from "../engine/index.ts";
import type { DynamicWatch } from "../engine/index.ts";

const Team = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Team",
  spec: s.object({ color: s.string().default("red") }),
  status: s.object({ found: s.string().optional() }),
});

const labelsOf = (color: string): Readonly<Record<string, string>> => ({ color, part: "config" });

describe("an object referenced by labels", () => {
  const look = step(Team, "Look", {
    reads: [referenceByLabels(Team, ConfigMap, ({ spec }) => labelsOf(spec.color))],
    do: ({ select, spec, status }) => {
      const found = select(ConfigMap, labelsOf(spec.color)).map(({ metadata }) => metadata.name);
      status.found = found.toSorted().join(" ");
      return found.length === 0 ? wait("no config") : ok();
    },
  });
  const found = async (cluster: Awaited<ReturnType<typeof testCluster>>): Promise<unknown> =>
    (await cluster.untilSettled(Team, "a")).status?.found;

  test("enqueues the referencing object only when it is created, changes its labels or is deleted", async () => {
    await using cluster = await testCluster();
    let runs = 0;
    cluster.run(operator(Team, [look], { onRun: () => runs++ }));
    await cluster.apply(Team, { name: "a", spec: {} });
    expect(await found(cluster)).toBe("");
    const labels = labelsOf("red");
    await cluster.apply(ConfigMap, { name: "one", labels });
    await cluster.apply(ConfigMap, { name: "two", labels });
    expect(await found(cluster)).toBe("one two");
    await cluster.patch(ConfigMap, "one", { metadata: { labels: { part: "other" } } });
    expect(await found(cluster)).toBe("two");
    await cluster.delete(ConfigMap, "two");
    expect(await found(cluster)).toBe("");
    expect(runs).toBe(5);
    await cluster.apply(ConfigMap, { name: "blue", labels: labelsOf("blue") });
    await cluster.apply(ConfigMap, { name: "half", labels: { color: "red" } });
    expect(await found(cluster)).toBe("");
    expect(runs).toBe(5);
    await cluster.patch(Team, "a", { spec: { color: "blue" } });
    expect(await found(cluster)).toBe("blue");
  });

  test("must be in the same namespace", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Team, [look]));
    await cluster.apply(Namespace, { name: "far" });
    await cluster.apply(ConfigMap, { name: "one", namespace: "far", labels: labelsOf("red") });
    await cluster.apply(Team, { name: "a", spec: {} });
    expect(await found(cluster)).toBe("");
  });
});

test("a child in another namespace enqueues its owner by the owner annotation", async () => {
  await using cluster = await testCluster();
  const far = step(Team, "Far", {
    owns: [ConfigMap],
    do: async ({ client, object, owned, spec, status }) => {
      const [present] = owned(ConfigMap);
      status.found = present?.data?.["color"] ?? "none";
      if (present?.data?.["color"] === spec.color) return ok();
      const metadata = { name: "far", namespace: "far", ...ownerAnnotations(object) };
      const made = await client.apply(ConfigMap, { metadata, data: { color: spec.color } }, { force: true });
      status.found = made.data?.["color"];
      return ok();
    },
  });
  cluster.run(operator(Team, [far]));
  await cluster.apply(Namespace, { name: "far" });
  const team = await cluster.apply(Team, { name: "a", spec: {} });
  expect((await cluster.untilSettled(Team, "a")).status?.found).toBe("red");
  const child = await cluster.get(ConfigMap, "far", "far");
  expect(child && annotatedOwnerOf(child)).toEqual({
    group: "test.levelset.dev",
    kind: "Team",
    namespace: "default",
    name: "a",
    uid: team.metadata.uid,
  });
  await cluster.patch(ConfigMap, "far", { data: { color: "forged" } }, "far");
  await cluster.untilIdle();
  expect((await cluster.get(ConfigMap, "far", "far"))?.data).toEqual({ color: "red" });
});

describe("dynamic watches", () => {
  const Bag = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Bag",
    spec: s.object({ kinds: s.array(s.string()) }),
    status: s.object({ found: s.string().optional() }),
  });
  const KINDS = { ConfigMap, Secret } as const;
  const rule: DynamicWatch<typeof Bag> = {
    labelSelector: "bag",
    map: ({ metadata }) => [{ namespace: metadata.namespace ?? "", name: metadata.labels?.["bag"] ?? "" }],
  };
  const gather = step(Bag, "Gather", {
    dynamicWatches: [rule],
    do: async ({ watch, name, spec, status }) => {
      const kinds = Object.values(KINDS).filter((one) => spec.kinds.includes(one.kind));
      const watched = await watch(rule, kinds);
      const found = kinds
        .flatMap((one) => watched.list(one))
        .filter(({ metadata }) => metadata.labels?.["bag"] === name);
      status.found = found
        .map(({ metadata }) => metadata.name)
        .toSorted()
        .join(" ");
      return ok();
    },
  });

  test("run while an object needs them, and enqueue the objects that the rule maps to", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Bag, [gather]));
    const found = async (name: string): Promise<unknown> => (await cluster.untilSettled(Bag, name)).status?.found;
    const reads = (plural: string): number =>
      cluster.requests().filter(({ path }) => path.endsWith(`/${plural}`)).length;
    await cluster.apply(Bag, { name: "a", spec: { kinds: ["ConfigMap"] } });
    await cluster.apply(ConfigMap, { name: "one", labels: { bag: "a" } });
    await cluster.apply(ConfigMap, { name: "other", labels: { bag: "b" } });
    await cluster.apply(Secret, { name: "hidden", labels: { bag: "a" } });
    expect(await found("a")).toBe("one");
    expect(reads("secrets")).toBe(0);
    await cluster.patch(Bag, "a", { spec: { kinds: ["ConfigMap", "Secret"] } });
    expect(await found("a")).toBe("hidden one");
    await cluster.delete(Secret, "hidden");
    expect(await found("a")).toBe("one");
    const before = reads("configmaps");
    await cluster.delete(Bag, "a");
    await cluster.untilDeleted(Bag, "a");
    await cluster.clock.advance(600_000);
    expect(reads("configmaps")).toBe(before);
  });

  test("do not report an empty kind while it cannot be listed", async () => {
    await using cluster = await testCluster();
    const isSecrets = ({ path }: { readonly path: string }): boolean => path.endsWith("/secrets");
    // The stream, then the list.
    for (let times = 0; times < 2; times++) {
      cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isSecrets);
    }
    cluster.run(operator(Bag, [gather]));
    await cluster.apply(Secret, { name: "hidden", labels: { bag: "a" } });
    await cluster.apply(Bag, { name: "a", spec: { kinds: ["Secret"] } });
    await cluster.apply(Bag, { name: "b", spec: { kinds: ["ConfigMap"] } });
    expect(await cluster.untilSettled(Bag, "a")).toHaveCondition("Gather", "False", {
      message: "cannot list secrets: forbidden (needs list and watch)",
    });
    expect(await cluster.untilSettled(Bag, "b")).toBeReady();
    await cluster.clock.advance(1_000);
    expect((await cluster.untilSettled(Bag, "a")).status?.found).toBe("hidden");
  });

  test("must be declared by the step", async () => {
    await using cluster = await testCluster();
    const unlistedRef = step(Bag, "Stray", { do: async ({ watch }) => ok(await watch(rule, [Secret])) });
    cluster.run(operator(Bag, [unlistedRef]));
    await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
    expect(await cluster.untilSettled(Bag, "a")).toHaveCondition("Stray", "False", {
      message: "step Stray calls req.watch with a rule that it does not declare under dynamicWatches",
    });
  });

  test("enqueue an object that read a failure which began during its run", async () => {
    await using cluster = await testCluster();
    const probe = step(Bag, "Probe", {
      dynamicWatches: [rule],
      do: async ({ client, watch, namespace = "" }) => {
        const watched = await watch(rule, [ConfigMap]);
        // The outcome is unknown, so the ConfigMaps are listed again.
        await client.create(ConfigMap, { metadata: { namespace, generateName: "lost-" } }).catch(() => {});
        const failure = watched.failure(ConfigMap);
        return failure === undefined ? ok() : wait(failure.message);
      },
    });
    const isCreate = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method === "POST" && path.endsWith("/configmaps");
    cluster.faults.failNth(1, { kind: "response-lost" }, isCreate);
    const waits: boolean[] = [];
    cluster.run(
      operator(Bag, [probe], {
        onRun: ({ report }) => waits.push(report.kind === "ran" && report.result.kind === "wait"),
      }),
    );
    await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
    expect(await cluster.untilSettled(Bag, "a")).toBeReady();
    expect(waits).toContain(true);
  });

  test("do not repeat a failed run before its backoff when its lost write causes a relist", async () => {
    await using cluster = await testCluster();
    const isCreate = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method === "POST" && path.endsWith("/configmaps");
    const failing = step(Bag, "Failing", {
      dynamicWatches: [rule],
      do: async ({ client, watch, namespace = "" }) => {
        const watched = await watch(rule, [ConfigMap]);
        try {
          await client.create(ConfigMap, { metadata: { namespace, generateName: "lost-" } });
        } finally {
          watched.failure(ConfigMap);
        }
        return ok();
      },
    });
    cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isCreate);
    cluster.run(operator(Bag, [failing]));
    await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
    await cluster.untilIdle();
    expect(cluster.requests().filter(isCreate)).toHaveLength(1);
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Bag, "a")).toBeReady();
    expect(cluster.requests().filter(isCreate)).toHaveLength(2);
  });

  test("are readable until the end of a run whose object is deleted meanwhile", async () => {
    await using cluster = await testCluster();
    const found: string[][] = [];
    const linger = step(Bag, "Linger", {
      dynamicWatches: [rule],
      do: async ({ watch, name }) => {
        const watched = await watch(rule, [ConfigMap]);
        await cluster.delete(Bag, name);
        await untilIdle();
        found.push(watched.list(ConfigMap).map(({ metadata }) => metadata.name));
        return ok();
      },
    });
    cluster.run(operator(Bag, [linger]));
    await cluster.apply(ConfigMap, { name: "one", labels: { bag: "a" } });
    await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
    await cluster.untilDeleted(Bag, "a");
    expect(found).toEqual([["one"]]);
  });
});
