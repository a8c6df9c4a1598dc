import {
  controllerReference,
  CronJob,
  Deployment,
  kind,
  readinessOf,
  ReplicationController,
  s,
  Secret,
  Service,
} from "@levelset/core";
import { ownerAnnotations, formatTimestamp } from "@levelset/core/internal";
import type { Fetch } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { operator } from "../manager/index.ts";
import type { RunJson } from "../manager/index.ts";
import { runJson } from "../manager/run-json.ts";
import { ok, reference, refOf, refTo, step, wait } from "../engine/index.ts";
import type { ObjectRef } from "../engine/index.ts";
import type { ObjectNode } from "./tree.ts";
import { why } from "./why.ts";
import type { WhyOptions } from "./why.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ image: s.string(), password: s.string().default("password") }),
});
const Till = kind({ group: "test.levelset.dev", version: "v1", kind: "Till", spec: s.object({}) });

const password = step(Shop, "ReadPassword", {
  condition: "InputReady",
  reads: [reference(Shop, Secret, (shop) => shop.spec.password)],
  do: (req) => {
    const key = { namespace: req.namespace ?? "", name: req.spec.password };
    if (req.get(Secret, key) !== undefined) return ok();
    return wait(`secret/${key.name} does not exist`, { on: [refTo(Secret, key)] });
  },
});

const web = step(Shop, "RunWeb", {
  condition: "WebReady",
  owns: [Deployment],
  do: async (req) => {
    const labels = { app: req.name };
    const containers = [{ name: "web", image: req.spec.image }];
    const deployment = await req.client.apply(
      Deployment,
      {
        metadata: {
          name: req.name,
          namespace: req.namespace ?? "",
          ownerReferences: [controllerReference(req.object)],
        },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      },
      { force: true },
    );
    const { kind: state, message } = readinessOf(deployment);
    return state === "ready" ? ok() : wait(`deployment/${req.name}: ${message}`, { on: [refOf(deployment)] });
  },
});

const SHOP: ObjectRef = { apiVersion: "test.levelset.dev/v1", kind: "Shop", namespace: "default", name: "a" };

/** Returns a cluster with a shop whose image cannot be pulled, and the run records of its operator. */
async function brokenShop(): Promise<readonly [TestCluster, readonly RunJson[]]> {
  const cluster = await testCluster({ workloads: true, kinds: [Till] });
  const runs: RunJson[] = [];
  const onRun = (record: Parameters<typeof runJson>[1]): void =>
    void runs.push(runJson({ name: "shop", kind: Shop }, record));
  cluster.run(operator(Shop, [password, web], { onRun }));
  await cluster.apply(Shop, { name: "a", spec: { image: "shop:does-not-exist" } });
  await cluster.untilIdle();
  return [cluster, runs];
}

function ask(
  fetch: Fetch,
  ref: ObjectRef,
  options: WhyOptions & { readonly runs?: readonly RunJson[] } = {},
): Promise<ObjectNode> {
  const client = new Client({ fetch, fieldManager: "test" });
  const { runs = [], ...rest } = options;
  const records = (about: ObjectRef) =>
    Promise.resolve({
      runs: runs.filter(({ kind: own, name }) => own === about.kind && name === about.name),
      owns: undefined,
    });
  return why(ref, { client, discovery: new Discovery(client), records }, rest);
}

/** Returns `Kind name: message` of a node and all its causes. */
function outline(node: ObjectNode): readonly string[] {
  const below = [...node.conditions.flatMap(({ causes }) => causes), ...node.causes].flatMap(outline);
  return [`${node.kind} ${node.name.replace(/-.*$/u, "")}: ${node.message}`, ...below];
}

const POD = 'Pod a: container web: ImagePullBackOff: Back-off pulling image "shop:does-not-exist"';

describe("why", () => {
  test("ends at the missing Secret, then at the pods that cannot start, then reports ready", async () => {
    const [made, runs] = await brokenShop();
    await using cluster = made;
    const missing = await ask(cluster.fetch, SHOP, { runs });
    expect(outline(missing)).toEqual(["Shop a: secret/password does not exist", "Secret password: not found"]);
    expect(missing.conditions).toMatchObject([
      { type: "InputReady", state: "waiting", step: "ReadPassword", causes: [{ state: "missing" }] },
      { type: "WebReady", state: "pending", causes: [] },
    ]);

    await cluster.apply(Secret, { name: "password", stringData: { word: "open sesame" } });
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    const broken = await ask(cluster.fetch, SHOP, { runs });
    expect(outline(broken)).toEqual([
      "Shop a: deployment/a: 0 of 2 updated replicas available",
      "Deployment a: 0 of 2 updated replicas available",
      POD,
      POD,
    ]);
    expect(broken.conditions[1]).toMatchObject({
      type: "WebReady",
      since: formatTimestamp(cluster.clock.now() - 5_000),
    });

    await cluster.patch(Shop, "a", { spec: { image: "shop:1" } });
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    const ready = await ask(cluster.fetch, SHOP, { runs });
    expect(ready).toMatchObject({ state: "ready", causes: [], generation: { latest: 2, observed: 2 } });
    expect(ready.conditions.map(({ state }) => state)).toEqual(["done", "done"]);
  });

  test("finds the same pods without run records, by owner references", async () => {
    const [made] = await brokenShop();
    await using cluster = made;
    await cluster.apply(Secret, { name: "password" });
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    const node = await ask(cluster.fetch, SHOP);
    expect(node.causes.flatMap(outline)).toEqual(["Deployment a: 0 of 2 updated replicas available", POD, POD]);
  });

  test("finds children of the same group, and annotated children in other namespaces", async () => {
    await using cluster = await testCluster({ kinds: [Shop, Till] });
    const finalizers = ["test.levelset.dev/shop"];
    const shop = await cluster.create(Shop, { name: "a", finalizers, spec: { image: "shop:1" } });
    await cluster.create(Till, { name: "near", ownerReferences: [controllerReference(shop)], spec: {} });
    await cluster.create(Till, { name: "far", namespace: "kube-system", ...ownerAnnotations(shop), spec: {} });
    await cluster.create(Till, { name: "foreign", spec: {} });
    const node = await ask(cluster.fetch, SHOP);
    expect(node.causes.map(({ namespace, name, state }) => [namespace, name, state])).toEqual([
      ["kube-system", "far", "progressing"],
      ["default", "near", "progressing"],
    ]);
  });

  test.for([
    { kind: ReplicationController, list: "pods app=web" },
    { kind: CronJob, list: "jobs " },
  ] as const)("lists only the objects that a $kind.kind creates", async ({ kind, list }) => {
    await using cluster = await testCluster();
    const containers = [{ name: "main", image: "web:1" }];
    const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
    const jobTemplate = { spec: { template: { spec: { containers, restartPolicy: "Never" } } } } as const;
    const meta = { name: "web", finalizers: ["example.com/slow"] };
    await cluster.create(ReplicationController, { ...meta, spec: { template } });
    await cluster.create(CronJob, { ...meta, spec: { schedule: "* * * * *", jobTemplate } });
    await cluster.delete(kind, "web");
    const lists: string[] = [];
    const recorded: Fetch = (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const plural = /\/default\/(\w+)$/u.exec(pathname)?.[1] ?? "events";
      if (plural !== "events") lists.push(`${plural} ${searchParams.get("labelSelector") ?? ""}`);
      return cluster.fetch(request);
    };
    expect(await ask(recorded, refTo(kind, { namespace: "default", name: "web" }))).toMatchObject({
      state: "deleting",
    });
    expect(lists).toEqual([list]);
  });

  test("searches every kind only with allKinds", async () => {
    await using cluster = await testCluster({ kinds: [Shop] });
    const shop = await cluster.create(Shop, { name: "a", spec: { image: "shop:1" } });
    const ownerReferences = [controllerReference(shop)];
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] } as const;
    await cluster.create(Service, { name: "front", ownerReferences, spec });
    expect((await ask(cluster.fetch, SHOP)).causes).toEqual([]);
    expect(outline(await ask(cluster.fetch, SHOP, { allKinds: true }))).toEqual([
      "Shop a: no controller has observed it yet",
      "Service front: the load balancer has no address yet",
    ]);
  });

  test("reports forbidden kinds instead of failing, and never reads the data of Secrets", async () => {
    const [made, runs] = await brokenShop();
    await using cluster = made;
    const seen: string[] = [];
    const guarded: Fetch = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.includes("/secrets")) seen.push(request.headers.get("accept") ?? "");
      if (pathname.endsWith("/secrets/password") || pathname.endsWith("/events") || pathname.endsWith("/jobs")) {
        return Response.json(
          { kind: "Status", status: "Failure", reason: "Forbidden", message: "no", code: 403 },
          { status: 403 },
        );
      }
      return cluster.fetch(request);
    };
    const node = await ask(guarded, SHOP, { runs });
    expect(node.conditions[0]?.causes).toMatchObject([
      { kind: "Secret", state: "unreadable", message: "cannot be read: no" },
    ]);
    expect(node.details).toEqual(["cannot read events: no"]);
    expect((await ask(guarded, SHOP)).details).toEqual(["cannot read jobs.batch: no", "cannot read events: no"]);
    expect(seen).not.toEqual([]);
    expect(seen.filter((accept) => !accept.includes("PartialObjectMetadata"))).toEqual([]);
  });

  test("distinguishes a missing object, a kind that is not served, and an unreachable cluster", async () => {
    await using cluster = await testCluster({ kinds: [Shop] });
    expect(await ask(cluster.fetch, SHOP)).toMatchObject({ state: "missing", message: "not found" });
    const unknown = { apiVersion: "nowhere.example/v1", kind: "Thing", name: "a" };
    expect(await ask(cluster.fetch, unknown)).toMatchObject({
      state: "unreadable",
      message: "cannot be read: the cluster does not serve Thing in nowhere.example/v1",
    });
    await expect(ask(() => Promise.reject(new TypeError("no route")), SHOP)).rejects.toThrow("no route");
  });
});
