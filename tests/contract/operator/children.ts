import { ConfigMap, Deployment, findCondition, isConflict, isReady, kind, s, Secret, Service } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { child, Client, installCrd, operator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { connectSession } from "../../support/test-server.ts";
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

const at = (name: string): Required<ObjectKey> => ({ namespace: "default", name });

/** Contract for children: the same suite runs on the embedded server and on kube-apiserver. */
export function childrenContract(name: string, start: () => Promise<TestServer>): void {
  describe(`children on ${name}`, () => {
    test("are created and updated; server defaults cause no further writes", async () => {
      await using target = await start();
      await using ours = await connectSession(target);
      await using theirs = await connectSession(target);
      const client = new Client({ fetch: theirs.world.fetch, fieldManager: "contract" });
      await neverOverwrites(client);
      await installCrd(client, Shop, theirs.world);
      ours.run(shops);
      await client.create(Shop, { metadata: at("a"), spec: { flags: { one: "1", two: "2" } } });
      const reached = async (round: number): Promise<void> => {
        await eventually(`round ${round} is reached`, async () => {
          const shop = await client.get(Shop, at("a"));
          return isReady(shop) && shop.spec.round === round;
        });
      };
      await reached(0);
      // Our finalizer, four children, the status.
      expect(writes(ours)).toBe(6);
      await client.mergePatch(Shop, at("a"), { spec: { round: 1 } });
      await reached(1);
      expect(writes(ours)).toBe(7);
      await client.mergePatch(ConfigMap, at("a"), { data: { theirs: "3" } });
      await client.mergePatch(Shop, at("a"), { spec: { round: 2, flags: { one: null, two: "two" } } });
      await reached(2);
      expect((await client.get(ConfigMap, at("a"))).data).toEqual({ two: "two", theirs: "3" });
      expect((await client.get(Secret, at("a"))).data).toEqual({ two: Buffer.from("two").toString("base64") });
      expect(writes(ours)).toBe(10);
      await client.delete(Shop, at("a"));
      await ownerDeleted(client);
      await eventually("the children are deleted", async () =>
        (await client.list(Secret, { namespace: "default" })).items.every(isForeign),
      );
    }, 60_000);

    test("that another client scales back each time are contested: writes are limited, and the field and its manager are reported", async () => {
      await using target = await start();
      await using ours = await connectSession(target);
      await using theirs = await connectSession(target);
      const client = new Client({ fetch: theirs.world.fetch, fieldManager: "contract" });
      const autoscaler = new Client({ fetch: theirs.world.fetch, fieldManager: "autoscaler" });
      await installCrd(client, Shop, theirs.world);
      ours.run(shops);
      await client.create(Shop, { metadata: at("a"), spec: {} });
      let rounds = 0;
      await eventually("the field is contested", async () => {
        const web = (await client.list(Deployment, { namespace: "default" })).items.find(
          ({ metadata }) => metadata.name === "a",
        );
        if (web?.spec?.replicas === 1) {
          rounds += 1;
          await autoscaler.setScale(Deployment, at("a"), 3);
        }
        const ready = findCondition((await client.get(Shop, at("a"))).status?.conditions, "Ready");
        return (
          ready?.status === "False" &&
          ready.reason === "Contested" &&
          ready.message.startsWith("spec.replicas of deployment/a is also written by autoscaler: ")
        );
      });
      expect(rounds).toBeGreaterThanOrEqual(5);
      expect(rounds).toBeLessThanOrEqual(12);
      await client.delete(Shop, at("a"));
      await ownerDeleted(client);
    }, 60_000);
  });
}

const isForeign = ({ metadata }: { readonly metadata: ObjectKey }): boolean => metadata.name !== "a";

function writes(ours: { count(method: string): number }): number {
  return ["POST", "PUT", "PATCH", "DELETE"].reduce((sum, method) => sum + ours.count(method), 0);
}

/** Checks that an apply with an unmatched resourceVersion creates an object, and conflicts with an existing one. */
async function neverOverwrites(client: Client): Promise<void> {
  const version = { resourceVersion: "9223372036854775807" };
  const apply = (text: string, extra: object): Promise<unknown> =>
    client.apply(ConfigMap, { metadata: { ...at("once"), ...extra }, data: { text } }, { force: true });
  await expect(apply("0", { uid: "0b4c5a5e-0000-4000-8000-000000000000" })).rejects.toSatisfy(isConflict);
  await apply("1", version);
  const first = await client.get(ConfigMap, at("once"));
  await expect(apply("2", version)).rejects.toSatisfy(isConflict);
  expect(await client.get(ConfigMap, at("once"))).toEqual(first);
  expect(first.metadata.managedFields).toMatchObject([{ operation: "Apply" }]);
  await client.delete(ConfigMap, at("once"));
}

async function ownerDeleted(client: Client): Promise<void> {
  await eventually("the owner is deleted", async () => (await client.list(Shop)).items.length === 0);
}
