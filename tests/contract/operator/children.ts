import { ConfigMap, Deployment, findCondition, isConflict, isReady, kind, s, Secret, Service } from "@levelset/core";
import { child, Client, operator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";

const Shop = kind({
  group: "contract.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ flags: s.map(s.string()).default({}), round: s.int32().default(0) }),
});

const template = {
  metadata: { labels: { app: "shop" } },
  spec: {
    hostNetwork: false,
    containers: [
      {
        name: "web",
        image: "web:1",
        ports: [{ containerPort: 80 }],
        env: [{ name: "B", value: "" }, { name: "A" }],
        resources: { requests: { cpu: 0.5, memory: "1024Mi" } },
        readinessProbe: { httpGet: { path: "/", port: 80 } },
      },
    ],
  },
};

const shops = operator(Shop, [
  child(Shop, "Flags", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name, labels: { app: "shop" } }, data: spec.flags }),
  }),
  child(Shop, "Password", {
    kind: Secret,
    owned: false,
    desired: ({ name, spec }) => ({ metadata: { name }, stringData: spec.flags }),
  }),
  child(Shop, "Web", {
    kind: Deployment,
    desired: ({ name }) => ({
      metadata: { name },
      spec: { paused: false, replicas: 1, selector: { matchLabels: { app: "shop" } }, template },
    }),
  }),
  child(Shop, "Door", {
    kind: Service,
    desired: ({ name }) => ({ metadata: { name }, spec: { selector: { app: "shop" }, ports: [{ port: 80 }] } }),
  }),
]);

/** Contract for children: the same suite runs on the embedded server and on kube-apiserver. */
export function childrenContract(name: string, start: () => Promise<TestServer>): void {
  describe(`children on ${name}`, () => {
    test("are created and updated; server defaults cause no further writes", async () => {
      await using target = await start();
      await using cluster = await ServerCluster.connect(target);
      await neverOverwrites(cluster);
      await cluster.install(Shop);
      cluster.start(shops);
      await cluster.create(Shop, { metadata: { name: "a" }, spec: { flags: { one: "1", two: "2" } } });
      const reached = (round: number): Promise<unknown> =>
        cluster.until(Shop, "a", (shop) => isReady(shop) && shop.spec.round === round);
      await reached(0);
      const children = ["configmaps/a", "secrets/a", "deployments/a", "services/a"];
      // Our finalizer, four children, the status.
      expect(writes(cluster)).toEqual(["shops/a", ...children, "shops/a/status"]);
      await cluster.patch(Shop, "a", { spec: { round: 1 } });
      await reached(1);
      expect(writes(cluster).slice(6)).toEqual(["shops/a/status"]);
      await cluster.patch(ConfigMap, "a", { data: { theirs: "3" } });
      await cluster.patch(Shop, "a", { spec: { round: 2, flags: { one: null, two: "two" } } });
      await reached(2);
      expect((await cluster.find(ConfigMap, "a"))?.data).toEqual({ two: "two", theirs: "3" });
      expect((await cluster.find(Secret, "a"))?.data).toEqual({ two: Buffer.from("two").toString("base64") });
      expect(writes(cluster).slice(7)).toEqual(["configmaps/a", "secrets/a", "shops/a/status"]);
      await cluster.delete(Shop, "a");
      await cluster.untilDeleted(Shop, "a");
      await cluster.untilDeleted(Secret, "a");
    });

    test("that another client scales back each time are contested: writes are limited, and the field and its manager are reported", async () => {
      await using target = await start();
      await using cluster = await ServerCluster.connect(target);
      const autoscaler = new Client({ fetch: cluster.fetch, fieldManager: "autoscaler" });
      await cluster.install(Shop);
      cluster.start(shops);
      await cluster.create(Shop, { metadata: { name: "a" }, spec: {} });
      let rounds = 0;
      await cluster.eventually("the field is contested", async () => {
        const web = await cluster.find(Deployment, "a");
        if (web?.spec?.replicas === 1) {
          rounds += 1;
          await autoscaler.setScale(Deployment, cluster.at("a"), 3);
        }
        const ready = findCondition((await cluster.find(Shop, "a"))?.status?.conditions, "Ready");
        return (
          ready?.status === "False" &&
          ready.reason === "Contested" &&
          ready.message.startsWith("spec.replicas of deployment/a is also written by autoscaler: ")
        );
      });
      expect(rounds).toBeGreaterThanOrEqual(5);
      expect(rounds).toBeLessThanOrEqual(12);
      await cluster.delete(Shop, "a");
      await cluster.untilDeleted(Shop, "a");
    });

    test("are repaired if another client replaces a list so that the server refuses both versions together", async () => {
      await using target = await start();
      await using cluster = await ServerCluster.connect(target);
      expect(await ownersOfRepairedPorts(cluster)).toEqual([["levelset-shop", "Apply"]]);
    });
  });
}

/** Returns the resources, names and subresources that the operator wrote. */
function writes({ faults, namespace }: Cluster): readonly string[] {
  return faults.requests.flatMap(({ method, path }) =>
    method === "GET" ? [] : [path.slice(path.indexOf(`/${namespace}/`) + namespace.length + 2)],
  );
}

/** Checks that an apply with an unmatched resourceVersion creates an object, and conflicts with an existing one. */
async function neverOverwrites({ client, namespace }: Cluster): Promise<void> {
  const key = { namespace, name: "once" };
  const version = { resourceVersion: "9223372036854775807" };
  const apply = (text: string, extra: object): Promise<unknown> =>
    client.apply(ConfigMap, { metadata: { ...key, ...extra }, data: { text } }, { force: true });
  await expect(apply("0", { uid: "0b4c5a5e-0000-4000-8000-000000000000" })).rejects.toSatisfy(isConflict);
  await apply("1", version);
  const first = await client.get(ConfigMap, key);
  await expect(apply("2", version)).rejects.toSatisfy(isConflict);
  expect(await client.get(ConfigMap, key)).toEqual(first);
  expect(first.metadata.managedFields).toMatchObject([{ operation: "Apply" }]);
  await client.delete(ConfigMap, key);
}

/**
 * Replaces the port of a Service and waits until the operator has restored it. The server refuses both unnamed ports
 * together. Returns the managers of the ports.
 */
async function ownersOfRepairedPorts(cluster: Cluster): Promise<readonly (readonly unknown[])[]> {
  const editor = new Client({ fetch: cluster.fetch, fieldManager: "kubectl-edit" });
  const portsAre = (...ports: readonly number[]): Promise<unknown> =>
    cluster.until(Service, "a", ({ spec }) => spec?.ports?.map(({ port }) => port).join() === ports.join());
  await cluster.install(Shop);
  cluster.start(shops);
  await cluster.create(Shop, { metadata: { name: "a" }, spec: {} });
  await cluster.until(Shop, "a", isReady);
  await editor.mergePatch(Service, cluster.at("a"), { spec: { ports: [{ port: 81 }] } });
  await portsAre(80);
  const { managedFields = [] } = (await cluster.find(Service, "a"))?.metadata ?? {};
  const holders = managedFields.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:port"'));
  await cluster.until(Shop, "a", isReady);
  await cluster.delete(Shop, "a");
  await cluster.untilDeleted(Shop, "a");
  return holders.map(({ manager, operation }) => [manager, operation]);
}
