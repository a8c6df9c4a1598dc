import { ConfigMap, Deployment, kind, realClock, ReplicaSet, s, Secret } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { child, Client, input, installCrd, operator, workload } from "@levelset/operator";
import type { ManagedOperator, Operator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { planUpgrade, upgradePlanText } from "../../../packages/cli/src/plan/index.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { connectSession } from "../../support/test-server.ts";

const Shop = kind({ group: "plan.levelset.dev", version: "v1", kind: "Shop", spec: s.object({ replicas: s.int32() }) });
const namespace = "default";
const PASSWORD = "correct-horse-battery";

/** A version of an operator with a Deployment, a ConfigMap and a Secret. */
function shopOperator({ image, flags }: { readonly image: string; readonly flags: boolean }): Operator<typeof Shop> {
  const password = input(Shop, "Password", { secret: () => "db", keys: { password: s.text() } });
  return operator(Shop, [
    password,
    child(Shop, "Copy", {
      kind: Secret,
      uses: [password],
      desired: (req) => ({ metadata: { name: `${req.name}-db` }, stringData: req.from(password) }),
    }),
    child(Shop, "Flags", {
      kind: ConfigMap,
      desired: ({ name }) => (flags ? { metadata: { name: `${name}-flags` }, data: { a: "b" } } : undefined),
    }),
    workload(Shop, "Web", {
      kind: Deployment,
      desired: ({ name, spec: { replicas } }) => ({
        metadata: { name },
        spec: {
          replicas,
          selector: { matchLabels: { app: name } },
          template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image }] } },
        },
      }),
    }),
  ]);
}

/** Simulates the status of a complete rollout. */
async function completeRollout(client: Client): Promise<void> {
  const key = { namespace, name: "shop" };
  const { metadata } = await client.get(Deployment, key);
  const status = {
    observedGeneration: metadata.generation,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions: [{ type: "Available", status: "True", reason: "Ready", message: "" }],
  };
  await client.mergePatch(Deployment, key, { status }, { subresource: "status" });
}

async function planText(own: ManagedOperator, fetch: Fetch): Promise<string> {
  const { signal } = new AbortController();
  const program = { operators: [own], others: [], options: {} };
  const { plan, redactor } = await planUpgrade(program, {
    fetch,
    clock: realClock,
    signal,
    file: "shop.ts",
    namespaces: [namespace],
  });
  return upgradePlanText(plan, { colors: false, diffs: true, redactor });
}

await onRealCluster("a plan on Kubernetes", (start) => {
  describe("a plan on Kubernetes", () => {
    test("of the same version changes nothing, and that of another one shows what it would do", async () => {
      // Their controllers would replace the simulated status.
      await using target = await start({ controllerManager: true, withoutControllers: ["deployment-controller"] });
      await using connected = await connectSession(target);
      const { fetch, clock, signal } = connected.world;
      const client = new Client({ fetch, fieldManager: "test" });
      await installCrd(client, Shop, { clock, signal });
      await client.create(Secret, { metadata: { namespace, name: "db" }, stringData: { password: PASSWORD } });
      await client.create(Shop, { metadata: { namespace, name: "shop" }, spec: { replicas: 2 } });
      connected.run(shopOperator({ image: "web:1", flags: true }));
      await expect
        .poll(() =>
          completeRollout(client).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await client.waitUntilReady(Shop, { namespace, name: "shop" }, { timeoutMs: 60_000 });
      const before = await state(client);

      expect(await planText(shopOperator({ image: "web:1", flags: true }), fetch)).toMatch(
        /^no changes; \d+ objects unchanged\n$/u,
      );
      const text = await planText(shopOperator({ image: "web:2", flags: false }), fetch);
      expect(text).toContain("  - ConfigMap   default/shop-flags\n");
      expect(text).toContain("  ~ Deployment  default/shop        image 1 → 2; would roll 2 pods\n");
      expect(text).toMatch(
        /1 to change, 1 to delete, 1 status to change, 2 pods to restart; \d+ objects unchanged\n$/u,
      );
      expect(text).not.toMatch(new RegExp(`${PASSWORD}|${Buffer.from(PASSWORD).toString("base64")}`, "u"));
      expect(await state(client)).toEqual(before);
    });
  });
});

/** Returns the versions of all objects that the operator could have written. */
async function state(client: Client): Promise<readonly string[]> {
  const lists = await Promise.all(
    [Shop, Deployment, ReplicaSet, ConfigMap, Secret].map((each) => client.list(each, { namespace })),
  );
  return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`));
}
