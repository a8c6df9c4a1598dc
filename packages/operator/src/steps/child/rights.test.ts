import { ConfigMap, Job, kind, Node, s, Secret, StatefulSet } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { requestAttributes, allows, needsRule } from "../../manager/authorizer.ts";
import { operator, policyRules } from "../../manager/index.ts";
import { dependency, job, jobRecord, workload } from "../index.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ image: s.string().default("web:1") }),
  status: s.object({ migration: jobRecord.optional() }),
});

const migrate = job(Shop, "Migrate", {
  protect: true,
  statusField: "migration",
  desired: ({ name, spec }) => ({
    metadata: { name },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: spec.image }] } } },
  }),
});

/** Depends on objects by labels, and protects a workload and a Job. */
const shops = operator(Shop, [
  dependency(Shop, "Password", { kind: Secret, labels: ({ metadata }) => ({ shop: metadata.name }) }),
  dependency(Shop, "Settings", { kind: ConfigMap, labels: () => ({ shop: "any" }), match: "all" }),
  dependency(Shop, "Node", { kind: Node, name: () => "n" }),
  workload(Shop, "Server", {
    kind: StatefulSet,
    protect: true,
    desired: ({ name, spec }) => ({
      metadata: { name },
      spec: {
        serviceName: name,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main", image: spec.image }] } },
      },
    }),
  }),
  migrate,
]);

describe("the RBAC rules of steps that protect and select", () => {
  test("are derived from the declarations", () => {
    const { cluster, namespaced } = policyRules([shops], { namespaces: ["default"] });
    const read = ["get", "list", "watch"];
    const manage = [...read, "create", "update", "patch", "delete"];
    expect(cluster).toEqual([{ apiGroups: [""], resources: ["nodes"], verbs: read }]);
    expect(namespaced).toEqual({
      default: [
        { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: read },
        { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
        { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
        { apiGroups: ["apps"], resources: ["statefulsets"], verbs: manage },
        { apiGroups: ["batch"], resources: ["jobs"], verbs: manage },
        { apiGroups: ["test.levelset.dev"], resources: ["shops"], verbs: [...read, "patch"] },
        { apiGroups: ["test.levelset.dev"], resources: ["shops/finalizers"], verbs: ["update"] },
        { apiGroups: ["test.levelset.dev"], resources: ["shops/status"], verbs: ["patch"] },
      ],
    });
  });

  test("cover the whole lifecycle", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(shops);
    await cluster.create(Node, { name: "n" });
    await cluster.patchStatus(Node, "n", {
      conditions: [{ type: "Ready", status: "True", reason: "Up", message: "" }],
    });
    await cluster.apply(Secret, { name: "s", labels: { shop: "a" } });
    await cluster.apply(ConfigMap, { name: "c", labels: { shop: "any" } });
    await cluster.apply(Shop, { name: "a", spec: {} });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await cluster.patch(Shop, "a", { spec: { image: "web:2" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await cluster.delete(StatefulSet, "a");
    await cluster.delete(Job, "a");
    await cluster.untilIdle();
    await cluster.delete(Shop, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Shop, "a");
    const rules = policyRules([shops]);
    const requests = cluster.requests().filter(needsRule).map(requestAttributes);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.filter((access) => !allows(rules, access))).toEqual([]);
  });

  test("cover a Job that must be replaced before it has started", async () => {
    const migrations = operator(Shop, [migrate]);
    await using cluster = await testCluster({ workloads: true });
    cluster.run(migrations);
    await cluster.apply(Shop, { name: "a", spec: { image: "web:does-not-exist" } });
    await cluster.untilIdle();
    await cluster.patch(Shop, "a", { spec: { image: "web:2" } });
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const rules = policyRules([migrations], { namespaces: ["default"] });
    const requests = cluster.requests().filter(needsRule).map(requestAttributes);
    expect(requests).toContainEqual({
      verb: "list",
      group: "",
      resource: "pods",
      namespace: "default",
      name: undefined,
    });
    const inNamespace = requests.filter(({ namespace }) => namespace === "default");
    expect(inNamespace.filter((access) => !allows(rules, access))).toEqual([]);
  });
});
