import { ConfigMap, controllerReference, isNotFound, kind, Namespace, s, Secret, ServiceAccount } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapping } from "../controller/index.ts";
import { ok, reference, step } from "../step/index.ts";
import { accessOf, allows, grants } from "./access.fixture.ts";
import { manager, operator, policyRules } from "./index.ts";
import { mergeRules } from "./policy-rule.ts";

const GROUP = "test.levelset.dev";
const Shop = kind({
  group: GROUP,
  version: "v1",
  kind: "Shop",
  spec: s.object({ secret: s.string(), motto: s.string() }),
});
const region = { group: GROUP, version: "v1", kind: "Region", scope: "Cluster" } as const;
const Region = kind({ ...region, spec: s.object({}) });

/** A shop writes its child in every way there is, reads a secret, and makes an account that it does not own. */
const shops = operator(
  Shop,
  [
    step(Shop, "Config", {
      owns: [ConfigMap],
      reads: [reference(Shop, Secret, ({ spec }) => spec.secret)],
      do: async (req) => {
        const key = { namespace: req.namespace ?? "", name: req.name };
        const data = { motto: req.spec.motto };
        const [present] = req.owned(ConfigMap);
        if (present === undefined) {
          const ownerReferences = [controllerReference(req.object)];
          await req.client.create(ConfigMap, { metadata: { ...key, ownerReferences }, data });
        } else if (req.spec.motto === "updated") {
          await req.client.update(ConfigMap, { ...(await req.client.get(ConfigMap, key)), data });
        } else if (req.spec.motto === "patched") {
          await req.client.mergePatch(ConfigMap, key, { data });
        } else if (req.spec.motto === "deleted") {
          await req.client.delete(ConfigMap, key);
        }
        req.event({ reason: "Configured", message: req.get(Secret, { ...key, name: req.spec.secret })?.type ?? "" });
        return ok();
      },
    }),
    step(Shop, "Account", {
      rbac: [{ apiGroups: [""], resources: ["serviceaccounts"], verbs: ["create", "delete"] }],
      do: async (req) => {
        const metadata = {
          namespace: req.namespace ?? "",
          generateName: "shop-",
          name: `shop-${req.object.metadata.generation}`,
        };
        await req.client.create(ServiceAccount, { metadata });
        return ok();
      },
      cleanup: async (req) => {
        try {
          await req.client.delete(ServiceAccount, { namespace: req.namespace ?? "", name: "shop-1" });
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
        return ok();
      },
    }),
  ],
  { watches: [mapping(Shop, Namespace, (_changed, ours) => [...ours].map(({ metadata }) => metadata))] },
);

const regions = operator(Region, [
  step(Region, "Greet", {
    do: (req) => {
      req.event({ reason: "Greeted", message: "hello" });
      return ok();
    },
  }),
]);

const lease = { namespace: "system", name: "shops" };

/** Lets shops live through everything that an operator can meet, and answers with all that was asked of the server. */
async function lifeOfAShop(namespaces: readonly string[] | undefined): Promise<ReturnType<typeof accessOf>[]> {
  const older = kind({ ...region, spec: s.object({ old: s.string().optional() }) });
  await using cluster = await testCluster({ kinds: [older] });
  await cluster.apply(Namespace, { name: lease.namespace });
  // A server that does not stream lists is asked for them.
  for (const { plural } of [Shop, Region, ConfigMap, Secret, Namespace]) {
    const filter = ({ path, query }: { readonly path: string; readonly query: string }): boolean =>
      path.endsWith(`/${plural}`) && query.includes("sendInitialEvents");
    cluster.faults.failNth(1, { kind: "status", reason: "Invalid" }, filter);
  }
  // Longer than the leaps of the clock below.
  const times = { leaseMs: 600_000, renewDeadlineMs: 500_000, retryMs: 1_000 };
  const leaderElection = { ...lease, identity: "me", times };
  const { kinds: _kinds, ...bare } = manager([shops, regions], {
    leaderElection,
    installCrds: true,
    graceMs: 1,
    ...(namespaces === undefined ? {} : { namespaces }),
  });
  const running = cluster.run(bare);
  await cluster.rest();
  await cluster.create(Secret, { name: "key", data: {} });
  await cluster.create(Region, { name: "north", spec: {} });
  await cluster.create(Shop, { name: "corner", spec: { secret: "key", motto: "created" } });
  await cluster.rest();
  for (const motto of ["updated", "patched", "deleted"]) {
    // Our copy is old once per edit, so that the operator has to look for itself.
    cluster.faults.failNth(1, { kind: "status", reason: "Conflict" }, ({ path }) => path.endsWith("/corner/status"));
    await cluster.patch(Shop, "corner", { spec: { motto } });
    await cluster.rest();
    await cluster.clock.advance(10_000);
    await cluster.rest();
  }
  await cluster.delete(Shop, "corner");
  await cluster.clock.advance(60_000);
  await cluster.gone(Shop, "corner");
  await running.stop();
  return cluster.requests().map(accessOf);
}

/** Rights that no recorded request shows, and why they are given all the same. */
const UNSEEN = new Set([
  // Asked for by an admission plugin when a child that blocks the deletion of its owner is created.
  `update shops/finalizers`,
  // For steps that read past the cache what they declare.
  "get secrets",
  "get namespaces",
  "get regions",
  // Labels, annotations and finalizers of an object: what steps do to them cannot be seen in declarations.
  "patch regions",
]);

describe("derived rights", () => {
  test.each([{ namespaces: undefined }, { namespaces: ["default"] }])(
    "allow everything that an operator does in its life, and nothing more: %j",
    async ({ namespaces }) => {
      const rules = policyRules([shops, regions], { lease, installCrds: true, namespaces });
      const asked = await lifeOfAShop(namespaces);
      expect(asked.filter((access) => !allows(rules, access))).toEqual([]);
      const unused = [...rules.cluster, ...Object.values(rules.namespaced).flat()].flatMap((rule) =>
        rule.verbs.flatMap((verb) =>
          (rule.resources ?? [])
            .filter(
              (resource) =>
                !asked.some((access) => access.verb === verb && access.resource === resource && grants(rule, access)),
            )
            .map((resource) => `${verb} ${resource}`),
        ),
      );
      expect(new Set(unused)).toEqual(UNSEEN);
    },
  );

  test("are for the whole cluster unless namespaces are named, with the lease and its name apart", () => {
    const rules = policyRules([regions], { lease });
    expect(rules).toEqual({
      cluster: [
        { apiGroups: [GROUP], resources: ["regions"], verbs: ["get", "list", "watch", "patch"] },
        { apiGroups: [GROUP], resources: ["regions/status"], verbs: ["patch"] },
      ],
      namespaced: {
        default: [{ apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] }],
        system: [
          {
            apiGroups: ["coordination.k8s.io"],
            resources: ["leases"],
            resourceNames: ["shops"],
            verbs: ["get", "update"],
          },
          { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
        ],
      },
    });
  });

  test("stay in the namespaces where an operator works, except for kinds that live in none", () => {
    const { cluster, namespaced } = policyRules([shops], { namespaces: ["b", "a"] });
    expect(cluster).toEqual([{ apiGroups: [""], resources: ["namespaces"], verbs: ["get", "list", "watch"] }]);
    expect(Object.keys(namespaced)).toEqual(["a", "b"]);
    expect(namespaced["a"]).toEqual(namespaced["b"]);
    const stubborn = operator(Shop, [step(Shop, "A", { do: () => ok() })], { namespaces: ["own"] });
    expect(policyRules([stubborn], { namespaces: ["b", "a"] })).toMatchObject({ cluster: [], namespaced: { own: {} } });
  });

  test("that a step asks for are for the cluster where it says so, and for paths", () => {
    const nodes = { apiGroups: [""], resources: ["nodes"], verbs: ["get"] };
    const health = { nonResourceURLs: ["/livez"], verbs: ["get"] };
    const curious = operator(Shop, [
      step(Shop, "A", { rbac: [{ ...nodes, scope: "Cluster" }, health], do: () => ok() }),
    ]);
    expect(policyRules([curious], { namespaces: ["a"] }).cluster).toEqual([nodes, health]);
  });
});

describe("merged rules", () => {
  const some = (...values: string[]): fc.Arbitrary<string[]> => fc.subarray(values, { minLength: 1 });
  const rule: fc.Arbitrary<PolicyRule> = fc.record({
    apiGroups: some("", "apps"),
    resources: some("pods", "jobs", "jobs/status"),
    verbs: some("get", "list", "patch", "use"),
    resourceNames: fc.oneof(fc.constant([]), some("x", "y")),
  });
  const everything = ["", "apps"].flatMap((group) =>
    ["pods", "jobs", "jobs/status"].flatMap((resource) =>
      ["get", "list", "patch", "use"].flatMap((verb) =>
        ["x", "y", "z"].map((name) => ({ group, resource, verb, name })),
      ),
    ),
  );
  const granted = (rules: readonly PolicyRule[]): readonly unknown[] =>
    everything.filter((access) => rules.some((each) => grants(each, access)));

  test("grant what the rules granted, neither more nor less, in an order of their own", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
        const merged = mergeRules(rules);
        expect(granted(merged)).toEqual(granted(rules));
        expect(mergeRules(rules.toReversed())).toEqual(merged);
        expect(mergeRules(merged)).toEqual(merged);
      }),
    );
  });

  test("together with those that were there grant the same as all, and nothing is left of what was there", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 4 }), (rules, present) => {
        expect(granted([...mergeRules(rules, present), ...present])).toEqual(granted([...rules, ...present]));
        expect(mergeRules(present, present)).toEqual([]);
      }),
    );
  });
});
