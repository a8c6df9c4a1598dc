import { ConfigMap, controllerReference, isNotFound, kind, Namespace, s, Secret, ServiceAccount } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enqueueFromMap } from "../controller/index.ts";
import { ok, reference, step } from "../engine/index.ts";
import { requestAttributes, allows, grants, needsRule } from "./authorizer.ts";
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

/** Writes its child with every verb, reads a Secret, and creates a ServiceAccount that it does not own. */
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
  { watches: [enqueueFromMap(Shop, Namespace, (_changed, ours) => [...ours].map(({ metadata }) => metadata))] },
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

/** Runs the operators through every kind of work, and returns the attributes of all their requests. */
async function runShopLifecycle(
  namespaces: readonly string[] | undefined,
): Promise<ReturnType<typeof requestAttributes>[]> {
  const older = kind({ ...region, spec: s.object({ old: s.string().optional() }) });
  await using cluster = await testCluster({ kinds: [older] });
  await cluster.apply(Namespace, { name: lease.namespace });
  // The server rejects streamed lists once, so that paginated lists are requested too.
  for (const { plural } of [Shop, Region, ConfigMap, Secret, Namespace]) {
    const filter = ({ path, query }: { readonly path: string; readonly query: string }): boolean =>
      path.endsWith(`/${plural}`) && query.includes("sendInitialEvents");
    cluster.faults.failNth(1, { kind: "status", reason: "Invalid" }, filter);
  }
  // Longer than the clock steps below.
  const times = { leaseDurationMs: 600_000, renewDeadlineMs: 500_000, retryPeriodMs: 1_000 };
  const leaderElection = { ...lease, identity: "me", times };
  const { kinds: _kinds, ...bare } = manager([shops, regions], {
    leaderElection,
    installCrds: true,
    graceMs: 1,
    ...(namespaces === undefined ? {} : { namespaces }),
  });
  const running = cluster.run(bare);
  await cluster.untilIdle();
  await cluster.create(Secret, { name: "key", data: {} });
  await cluster.create(Region, { name: "north", spec: {} });
  await cluster.create(Shop, { name: "corner", spec: { secret: "key", motto: "created" } });
  await cluster.untilIdle();
  for (const motto of ["updated", "patched", "deleted"]) {
    // One conflict per edit, so that the operator reads the object from the server.
    cluster.faults.failNth(1, { kind: "status", reason: "Conflict" }, ({ path }) => path.endsWith("/corner/status"));
    await cluster.patch(Shop, "corner", { spec: { motto } });
    await cluster.untilIdle();
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
  }
  await cluster.delete(Shop, "corner");
  await cluster.clock.advance(60_000);
  await cluster.untilDeleted(Shop, "corner");
  await running.stop();
  return cluster.requests().filter(needsRule).map(requestAttributes);
}

/** Granted permissions that no recorded request uses, with reasons. */
const UNUSED = new Set([
  // Checked by an admission plugin when a child with blockOwnerDeletion is created.
  `update shops/finalizers`,
  // For steps that read declared kinds from the server instead of the cache.
  "get secrets",
  "get namespaces",
  "get regions",
  // For labels, annotations and finalizers: declarations do not show whether steps change them.
  "patch regions",
]);

describe("derived rules", () => {
  test.each([{ namespaces: undefined }, { namespaces: ["default"] }])(
    "allow every request of an operator, and no others: %j",
    async ({ namespaces }) => {
      const rules = policyRules([shops, regions], { lease, installCrds: true, namespaces });
      const requests = await runShopLifecycle(namespaces);
      expect(requests.filter((access) => !allows(rules, access))).toEqual([]);
      const unused = [...rules.cluster, ...Object.values(rules.namespaced).flat()].flatMap((rule) =>
        rule.verbs.flatMap((verb) =>
          (rule.resources ?? [])
            .filter(
              (resource) =>
                !requests.some(
                  (access) => access.verb === verb && access.resource === resource && grants(rule, access),
                ),
            )
            .map((resource) => `${verb} ${resource}`),
        ),
      );
      expect(new Set(unused)).toEqual(UNUSED);
    },
  );

  test("apply to the whole cluster without namespaces; the lease has a namespaced rule with its name", () => {
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

  test("apply only to the namespaces of an operator, except for cluster-scoped kinds", () => {
    const { cluster, namespaced } = policyRules([shops], { namespaces: ["b", "a"] });
    expect(cluster).toEqual([{ apiGroups: [""], resources: ["namespaces"], verbs: ["get", "list", "watch"] }]);
    expect(Object.keys(namespaced)).toEqual(["a", "b"]);
    expect(namespaced["a"]).toEqual(namespaced["b"]);
    const stubborn = operator(Shop, [step(Shop, "A", { do: () => ok() })], { namespaces: ["own"] });
    expect(policyRules([stubborn], { namespaces: ["b", "a"] })).toMatchObject({ cluster: [], namespaced: { own: {} } });
  });

  test("of a step are cluster-wide for scope Cluster and for non-resource paths", () => {
    const nodes = { apiGroups: [""], resources: ["nodes"], verbs: ["get"] };
    const health = { nonResourceURLs: ["/livez"], verbs: ["get"] };
    const curious = operator(Shop, [
      step(Shop, "A", { rbac: [{ ...nodes, scope: "Cluster" }, health], do: () => ok() }),
    ]);
    expect(policyRules([curious], { namespaces: ["a"] }).cluster).toEqual([nodes, health]);
  });
});

test("a rule of a namespace allows requests in it, also for the Namespace itself", () => {
  const rule = { apiGroups: [""], resources: ["pods", "namespaces"], verbs: ["get"], namespace: "a" };
  const paths = ["namespaces/a/pods/x", "namespaces/b/pods/x", "namespaces/a", "namespaces/b"];
  const granted = paths.filter((path) =>
    grants(rule, requestAttributes({ method: "GET", path: `/api/v1/${path}`, query: "" })),
  );
  expect(granted).toEqual(["namespaces/a/pods/x", "namespaces/a"]);
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
        ["x", "y", "z"].map((name) => ({ group, resource, verb, name, namespace: undefined })),
      ),
    ),
  );
  const granted = (rules: readonly PolicyRule[]): readonly unknown[] =>
    everything.filter((access) => rules.some((each) => grants(each, access)));

  test("grant exactly the same permissions, in an order that does not depend on the input", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
        const merged = mergeRules(rules);
        expect(granted(merged)).toEqual(granted(rules));
        expect(mergeRules(rules.toReversed())).toEqual(merged);
        expect(mergeRules(merged)).toEqual(merged);
      }),
    );
  });

  test("grant the same as all rules together with the present ones, without repeating those", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 4 }), (rules, present) => {
        expect(granted([...mergeRules(rules, present), ...present])).toEqual(granted([...rules, ...present]));
        expect(mergeRules(present, present)).toEqual([]);
      }),
    );
  });
});

test.each([
  ["/api/v1/namespaces", { resource: "namespaces" }],
  ["/api/v1/namespaces/a", { resource: "namespaces", name: "a" }],
  ["/api/v1/namespaces/a/status", { resource: "namespaces/status", name: "a" }],
  ["/api/v1/namespaces/a/finalize", { resource: "namespaces/finalize", name: "a" }],
  ["/api/v1/namespaces/status", { resource: "namespaces", name: "status" }],
  ["/api/v1/namespaces/a/statuses", { resource: "statuses", namespace: "a" }],
  ["/api/v1/namespaces/a/pods", { resource: "pods", namespace: "a" }],
  ["/api/v1/namespaces/a/pods/status", { resource: "pods", namespace: "a", name: "status" }],
  ["/api/v1/namespaces/a/pods/x/status", { resource: "pods/status", namespace: "a", name: "x" }],
  ["/api/v1/namespaces/a/pods/x/proxy/y/z", { resource: "pods/proxy", namespace: "a", name: "x" }],
  ["/api/v1/nodes/n/proxy/metrics", { resource: "nodes/proxy", name: "n" }],
  [
    "/apis/apps/v1/namespaces/a/deployments/x/scale",
    { group: "apps", resource: "deployments/scale", namespace: "a", name: "x" },
  ],
])("the path %s has the attributes that kube-apiserver authorizes", (path, expected) => {
  const absent = { group: "", namespace: undefined, name: undefined };
  const verb = "name" in expected ? "get" : "list";
  expect(requestAttributes({ method: "GET", path, query: "" })).toEqual({ verb, ...absent, ...expected });
});

test("a Role in a namespace grants the status of that Namespace only", () => {
  const rule = { apiGroups: [""], resources: ["namespaces/status"], verbs: ["patch"], namespace: "a" };
  const granted = ["a", "b"].filter((name) =>
    grants(rule, requestAttributes({ method: "PATCH", path: `/api/v1/namespaces/${name}/status`, query: "" })),
  );
  expect(granted).toEqual(["a"]);
});

test.each(["/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/openapi/v3", "/version"])(
  "the discovery document %s needs no rule",
  (path) => expect(needsRule({ method: "GET", path, query: "" })).toBe(false),
);
