import {
  ConfigMap,
  controllerReference,
  Deployment,
  Event,
  isConflict,
  isReady,
  kind,
  Lease,
  realClock,
  s,
  Secret,
} from "@levelset/core";
import type { ObjectKey, ObjectOf } from "@levelset/core";
import {
  Cache,
  Client,
  Discovery,
  installKind,
  manager,
  metadataOnly,
  ok,
  operator,
  reference,
  step,
  wait,
} from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { session } from "../support/target.ts";
import type { Session, Target } from "../support/target.ts";

/** Copies a Secret that it names into a ConfigMap that it owns, and tells of it. */
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
      if (secret === undefined) return wait("the secret is not there");
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

class Scene implements AsyncDisposable {
  readonly target: Target;
  readonly session: Session;
  readonly client: Client;

  constructor(target: Target, current: Session) {
    this.target = target;
    this.session = current;
    this.client = new Client({ fetch: current.world.fetch, fieldManager: "contract" });
  }

  /** Polls until something is as wanted; what it looks at is another process's work. */
  async until<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean): Promise<T> {
    const deadline = realClock.now() + 20_000;
    for (;;) {
      const seen = await look();
      if (isWanted(seen)) return seen;
      if (realClock.now() > deadline) throw new Error(`never as wanted: ${JSON.stringify(seen)}`);
      await realClock.sleep(20);
    }
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

/** What the runtime does on any cluster, over real sockets: the same suite for the embedded server and for a real one. */
export function runtimeContract(name: string, start: () => Promise<Target>): void {
  describe(`the runtime on ${name}`, () => {
    let scene: Scene | undefined;
    beforeAll(async () => {
      const target = await start();
      const current = await session(target);
      scene = new Scene(target, current);
      await installKind(scene.client, Copy, current.world);
      const leaderElection = { namespace: "default", name: "copies", identity: "contract" };
      current.run(manager([copies], { leaderElection }));
    });
    afterAll(() => scene?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(CASES)) {
      test(sentence, () => {
        if (scene === undefined) throw new Error("the cluster did not start");
        return check(scene);
      });
    }
  });
}

async function followsInputs(scene: Scene): Promise<void> {
  await scene.client.create(Copy, { metadata: at("a"), spec: { secret: "source" } });
  await scene.until(
    () => scene.copy("a"),
    ({ status }) => status?.observedGeneration === 1,
  );
  const data = { x: Buffer.from("1").toString("base64") };
  await scene.client.create(Secret, { metadata: at("source"), data });
  await scene.until(() => scene.copy("a"), isReady);
  await scene.client.mergePatch(ConfigMap, at("a"), { data: { x: "spoiled" } });
  await scene.until(
    () => scene.client.get(ConfigMap, at("a")),
    (child) => child.data?.["x"] === data.x,
  );
  await scene.client.delete(ConfigMap, at("a"));
  await scene.until(
    () => scene.client.list(ConfigMap, { namespace: "default", fields: "metadata.name=a" }),
    ({ items }) => items.length === 1,
  );
}

async function tellsPeople(scene: Scene): Promise<void> {
  const events = await scene.until(
    () => scene.client.list(Event, { namespace: "default", fields: "involvedObject.name=a,reason=Copied" }),
    ({ items }) => (items[0]?.count ?? 0) > 1,
  );
  expect(events.items).toHaveLength(1);
  expect(events.items[0]).toMatchObject({ type: "Normal", message: "from source" });
}

async function holdsLease(scene: Scene): Promise<void> {
  const lease = await scene.client.get(Lease, at("copies"));
  expect(lease.spec).toMatchObject({ holderIdentity: "contract", leaseDurationSeconds: 15 });
  await using second = await session(scene.target);
  const stop = new AbortController();
  const world = { ...second.world, signal: stop.signal };
  const leaderElection = { namespace: "default", name: "brief", identity: "brief" };
  const running = manager([copies], { leaderElection }).start(world);
  const holder = async (): Promise<string | undefined> => {
    const { items } = await scene.client.list(Lease, { namespace: "default", fields: "metadata.name=brief" });
    return items[0]?.spec?.holderIdentity;
  };
  await scene.until(holder, (who) => who === "brief");
  stop.abort();
  await running;
  expect((await holder()) ?? "").toBe("");
}

async function everyVerb(scene: Scene): Promise<void> {
  const { client } = scene;
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "web:1" }];
  const template = { metadata: { labels }, spec: { containers } };
  await client.create(Deployment, { metadata: at("web"), spec: { selector: { matchLabels: labels }, template } });
  const patch = { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } };
  const two = await client.strategicPatch(Deployment, at("web"), patch);
  expect(two.spec.template.spec?.containers.map(({ name }) => name).toSorted()).toEqual(["side", "web"]);
  expect((await client.setScale(Deployment, at("web"), 3)).replicas).toBe(3);
  expect((await client.get(Deployment, at("web"))).spec.replicas).toBe(3);
  const other = new Client({ fetch: scene.session.world.fetch, fieldManager: "other" });
  const wanted = { metadata: at("web"), spec: { replicas: 5 } };
  await expect(other.apply(Deployment, wanted)).rejects.toSatisfy(isConflict);
  expect((await other.apply(Deployment, wanted, { force: true })).spec.replicas).toBe(5);
  const [meta] = (await client.list(metadataOnly(Deployment), { namespace: "default" })).items;
  expect(meta).toMatchObject({ kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" } });
  expect(await new Discovery(client).kindOf({ apiVersion: "apps/v1", kind: "Deployment" })).toMatchObject({
    plural: "deployments",
    scope: "Namespaced",
    hasStatus: true,
  });
  await client.deleteCollection(Deployment, { namespace: "default", propagation: "Background" });
  await scene.until(
    () => client.list(Deployment, { namespace: "default" }),
    ({ items }) => items.length === 0,
  );
}

async function streams(scene: Scene): Promise<void> {
  const { fetch, clock, random, logger } = scene.session.world;
  const cache = new Cache({ fetch, clock, random, logger });
  const following = cache.follow(Secret, { namespace: "default", labels: "team=blue" });
  await following.synced;
  const labels = { team: "blue" };
  await scene.client.create(Secret, { metadata: { ...at("blue"), labels } });
  await scene.until(
    () => Promise.resolve(following.list().length),
    (count) => count === 1,
  );
  await scene.client.delete(Secret, at("blue"));
  await scene.until(
    () => Promise.resolve(following.list().length),
    (count) => count === 0,
  );
  expect(following.health).toMatchObject({ lists: 1, connects: 1, isSynced: true, failures: 0 });
  await cache.close();
}

const CASES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  "an object waits for what it names, follows its changes, and mends its child": followsInputs,
  "people are told, and the same again is counted": tellsPeople,
  "a leader holds the lease, and gives it up when it stops": holdsLease,
  "every verb of the client does what it says": everyVerb,
  "a cache streams its first list, and keeps up": streams,
};
