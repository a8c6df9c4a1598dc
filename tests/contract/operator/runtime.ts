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
} from "@levelset/core";
import type { ObjectKey, ObjectOf } from "@levelset/core";
import {
  Cache,
  Client,
  Discovery,
  installCrd,
  manager,
  metadataOnly,
  ok,
  operator,
  reference,
  step,
  wait,
} from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { connectSession } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";

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

class Scenario implements AsyncDisposable {
  readonly target: TestServer;
  readonly session: ServerSession;
  readonly client: Client;

  constructor(target: TestServer, current: ServerSession) {
    this.target = target;
    this.session = current;
    this.client = new Client({ fetch: current.world.fetch, fieldManager: "contract" });
  }

  /** Polls until the condition holds, and returns the value. */
  async until<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
    const found = await eventually("the value is as expected", async () => {
      const value = await read();
      if (isExpected(value)) return { value };
      throw new Error(JSON.stringify(value));
    });
    return found.value;
  }

  copy(name: string): Promise<ObjectOf<typeof Copy>> {
    return this.client.get(Copy, at(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.target[Symbol.asyncDispose]();
  }
}

const at = (name: string): Required<ObjectKey> => ({ namespace: "default", name });

/** Contract of the runtime over real sockets: the same suite runs on the embedded server and on kube-apiserver. */
export function runtimeContract(name: string, start: () => Promise<TestServer>): void {
  describe(`the runtime on ${name}`, () => {
    let scenario: Scenario | undefined;
    beforeAll(async () => {
      const target = await start();
      const current = await connectSession(target);
      scenario = new Scenario(target, current);
      await installCrd(scenario.client, Copy, current.world);
      const leaderElection = { namespace: "default", name: "copies", identity: "contract" };
      current.run(manager([copies], { leaderElection }));
    });
    afterAll(() => scenario?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(CASES)) {
      test(sentence, () => {
        if (scenario === undefined) throw new Error("the cluster did not start");
        return check(scenario);
      });
    }
  });
}

async function watchesInputs(scenario: Scenario): Promise<void> {
  await scenario.client.create(Copy, { metadata: at("a"), spec: { secret: "source" } });
  await scenario.until(
    () => scenario.copy("a"),
    ({ status }) => status?.observedGeneration === 1,
  );
  const data = { x: Buffer.from("1").toString("base64") };
  await scenario.client.create(Secret, { metadata: at("source"), data });
  await scenario.until(() => scenario.copy("a"), isReady);
  await scenario.client.mergePatch(ConfigMap, at("a"), { data: { x: "spoiled" } });
  await scenario.until(
    () => scenario.client.get(ConfigMap, at("a")),
    (child) => child.data?.["x"] === data.x,
  );
  await scenario.client.delete(ConfigMap, at("a"));
  await scenario.until(
    () => scenario.client.list(ConfigMap, { namespace: "default", fields: "metadata.name=a" }),
    ({ items }) => items.length === 1,
  );
}

async function countsEvents(scenario: Scenario): Promise<void> {
  const events = await scenario.until(
    () => scenario.client.list(Event, { namespace: "default", fields: "involvedObject.name=a,reason=Copied" }),
    ({ items }) => (items[0]?.count ?? 0) > 1,
  );
  expect(events.items).toHaveLength(1);
  expect(events.items[0]).toMatchObject({ type: "Normal", message: "from source" });
}

async function holdsLease(scenario: Scenario): Promise<void> {
  const lease = await scenario.client.get(Lease, at("copies"));
  expect(lease.spec).toMatchObject({ holderIdentity: "contract", leaseDurationSeconds: 15 });
  await using second = await connectSession(scenario.target);
  const stop = new AbortController();
  const world = { ...second.world, signal: stop.signal };
  const leaderElection = { namespace: "default", name: "brief", identity: "brief" };
  const running = manager([copies], { leaderElection }).start(world);
  const holder = async (): Promise<string | undefined> => {
    const { items } = await scenario.client.list(Lease, { namespace: "default", fields: "metadata.name=brief" });
    return items[0]?.spec?.holderIdentity;
  };
  await scenario.until(holder, (who) => who === "brief");
  stop.abort();
  await running;
  expect((await holder()) ?? "").toBe("");
}

async function everyVerb(scenario: Scenario): Promise<void> {
  const { client } = scenario;
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "web:1" }];
  const template = { metadata: { labels }, spec: { containers } };
  await client.create(Deployment, { metadata: at("web"), spec: { selector: { matchLabels: labels }, template } });
  const patch = { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } };
  const two = await client.strategicPatch(Deployment, at("web"), patch);
  expect(two.spec.template.spec?.containers.map(({ name }) => name).toSorted()).toEqual(["side", "web"]);
  expect((await client.setScale(Deployment, at("web"), 3)).replicas).toBe(3);
  expect((await client.get(Deployment, at("web"))).spec.replicas).toBe(3);
  const other = new Client({ fetch: scenario.session.world.fetch, fieldManager: "other" });
  const desired = { metadata: at("web"), spec: { replicas: 5 } };
  await expect(other.apply(Deployment, desired)).rejects.toSatisfy(isConflict);
  expect((await other.apply(Deployment, desired, { force: true })).spec.replicas).toBe(5);
  const [meta] = (await client.list(metadataOnly(Deployment), { namespace: "default" })).items;
  expect(meta).toMatchObject({ kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" } });
  expect(await new Discovery(client).kindOf({ apiVersion: "apps/v1", kind: "Deployment" })).toMatchObject({
    plural: "deployments",
    scope: "Namespaced",
    hasStatus: true,
  });
  await client.deleteCollection(Deployment, { namespace: "default", propagationPolicy: "Background" });
  await scenario.until(
    () => client.list(Deployment, { namespace: "default" }),
    ({ items }) => items.length === 0,
  );
}

async function streams(scenario: Scenario): Promise<void> {
  const { fetch, clock, random, logger } = scenario.session.world;
  const cache = new Cache({ fetch, clock, random, logger });
  const informer = cache.watch(Secret, { namespaces: ["default"], labels: "team=blue" });
  await informer.synced;
  const labels = { team: "blue" };
  await scenario.client.create(Secret, { metadata: { ...at("blue"), labels } });
  await scenario.until(
    () => Promise.resolve(informer.list().length),
    (count) => count === 1,
  );
  await scenario.client.delete(Secret, at("blue"));
  await scenario.until(
    () => Promise.resolve(informer.list().length),
    (count) => count === 0,
  );
  expect(cache.health).toMatchObject([{ lists: 1, connects: 1, isSynced: true, failures: 0 }]);
  await cache.close();
}

const CASES: Readonly<Record<string, (scenario: Scenario) => Promise<void>>> = {
  "an object waits for its referenced Secret, reacts to changes, and restores its child": watchesInputs,
  "Events are created, and repeated ones are counted": countsEvents,
  "a leader holds the lease, and releases it when it stops": holdsLease,
  "the client supports every verb": everyVerb,
  "a cache streams its first list, and receives changes": streams,
};
