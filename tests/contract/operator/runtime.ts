import {
  ConfigMap,
  controllerReference,
  Deployment,
  Event,
  isConflict,
  isReady,
  kind,
  Lease,
  s,
  Secret,
  realClock,
  realRandom,
  silentLogger,
} from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import {
  Cache,
  Client,
  Discovery,
  manager,
  metadataOnly,
  ok,
  operator,
  reference,
  step,
  wait,
} from "@levelset/operator";
import { expect } from "vitest";
import type { TestServer } from "../../support/test-server.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { describeContract } from "./describe-contract.ts";

/** Copies a referenced Secret into an owned ConfigMap, and records an Event. */
const Copy = kind({
  group: "contract.levelset.dev",
  version: "v1",
  kind: "Copy",
  spec: s.object({ secret: s.string() }),
});

const copies = operator(Copy, [
  step(Copy, "Copy", {
    owns: [ConfigMap],
    reads: [reference(Copy, Secret, ({ spec }) => spec.secret)],
    do: async (req) => {
      const metadata = { namespace: req.namespace ?? "", name: req.name };
      const secret = req.get(Secret, { namespace: metadata.namespace, name: req.spec.secret });
      if (secret === undefined) return wait("the secret does not exist");
      const ownerReferences = [controllerReference(req.object)];
      await req.client.apply(
        ConfigMap,
        { metadata: { ...metadata, ownerReferences }, data: { ...secret.data } },
        { force: true },
      );
      req.event({ reason: "Copied", message: `from ${req.spec.secret}` });
      return ok();
    },
  }),
]);

/** Contract of the runtime over real sockets: the same suite runs on the embedded server and on kube-apiserver. */
export function runtimeContract(name: string, start: () => Promise<TestServer>): void {
  describeContract(`the runtime on ${name}`, CASES, start, async (cluster) => {
    await cluster.install(Copy);
    const leaderElection = { namespace: cluster.namespace, name: "copies", identity: "contract" };
    cluster.start(manager([copies], { leaderElection }));
  });
}

async function watchesInputs(cluster: Cluster): Promise<void> {
  await cluster.create(Copy, { metadata: { name: "a" }, spec: { secret: "source" } });
  await cluster.until(Copy, "a", ({ status }) => status?.observedGeneration === 1);
  const data = { x: Buffer.from("1").toString("base64") };
  await cluster.create(Secret, { metadata: { name: "source" }, data });
  await cluster.until(Copy, "a", isReady);
  await cluster.patch(ConfigMap, "a", { data: { x: "spoiled" } });
  await cluster.until(ConfigMap, "a", (child) => child.data?.["x"] === data.x);
  await cluster.delete(ConfigMap, "a");
  await cluster.eventually("the child exists again", () => cluster.find(ConfigMap, "a"));
}

async function countsEvents(cluster: Cluster): Promise<void> {
  const selection = { namespace: cluster.namespace, fields: "involvedObject.name=a,reason=Copied" };
  const events = await cluster.eventually("the event is counted twice", async () => {
    const { items } = await cluster.client.list(Event, selection);
    return (items[0]?.count ?? 0) > 1 && items;
  });
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ type: "Normal", message: "from source" });
}

async function holdsLease(cluster: Cluster): Promise<void> {
  const lease = await cluster.find(Lease, "copies");
  expect(lease?.spec).toMatchObject({ holderIdentity: "contract", leaseDurationSeconds: 15 });
  const leaderElection = { namespace: cluster.namespace, name: "brief", identity: "brief" };
  const second = cluster.start(manager([copies], { leaderElection }));
  const holder = async (): Promise<string | undefined> => (await cluster.find(Lease, "brief"))?.spec?.holderIdentity;
  await cluster.eventually("the second lease is held", async () => (await holder()) === "brief");
  await second.stop();
  expect((await holder()) ?? "").toBe("");
}

async function everyVerb(cluster: Cluster): Promise<void> {
  const { client, namespace } = cluster;
  const at = (name: string): Required<ObjectKey> => cluster.at(name);
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "web:1" }];
  const template = { metadata: { labels }, spec: { containers } };
  await client.create(Deployment, { metadata: at("web"), spec: { selector: { matchLabels: labels }, template } });
  const patch = { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } };
  const two = await client.strategicPatch(Deployment, at("web"), patch);
  expect(two.spec.template.spec?.containers.map(({ name }) => name).toSorted()).toEqual(["side", "web"]);
  expect((await client.setScale(Deployment, at("web"), 3)).replicas).toBe(3);
  expect((await client.get(Deployment, at("web"))).spec.replicas).toBe(3);
  const other = new Client({ fetch: cluster.fetch, fieldManager: "other" });
  const desired = { metadata: at("web"), spec: { replicas: 5 } };
  await expect(other.apply(Deployment, desired)).rejects.toSatisfy(isConflict);
  expect((await other.apply(Deployment, desired, { force: true })).spec.replicas).toBe(5);
  const [meta] = (await client.list(metadataOnly(Deployment), { namespace })).items;
  expect(meta).toMatchObject({ kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" } });
  expect(await new Discovery(client).kindOf({ apiVersion: "apps/v1", kind: "Deployment" })).toMatchObject({
    plural: "deployments",
    scope: "Namespaced",
    hasStatus: true,
  });
  await client.deleteCollection(Deployment, { namespace, propagationPolicy: "Background" });
  await cluster.untilDeleted(Deployment, "web");
}

async function streams(cluster: Cluster): Promise<void> {
  const { fetch, namespace } = cluster;
  const cache = new Cache({ fetch, clock: realClock, random: realRandom, logger: silentLogger });
  const informer = cache.watch(Secret, { namespaces: [namespace], labels: "team=blue" });
  await informer.synced;
  await cluster.create(Secret, { metadata: { name: "blue", labels: { team: "blue" } } });
  await cluster.eventually("the cache has the new object", () => informer.list().length === 1);
  await cluster.delete(Secret, "blue");
  await cluster.eventually("the cache has no object", () => informer.list().length === 0);
  expect(cache.health).toMatchObject([{ lists: 1, connects: 1, isSynced: true, failures: 0 }]);
  await cache.close();
}

const CASES: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = {
  "an object waits for its referenced Secret, reacts to changes, and restores its child": watchesInputs,
  "Events are created, and repeated ones are counted": countsEvents,
  "a leader holds the lease, and releases it when it stops": holdsLease,
  "the client supports every verb": everyVerb,
  "a cache streams its first list, and receives changes": streams,
};
