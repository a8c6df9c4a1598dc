import {
  ConfigMap,
  crdOf,
  CustomResourceDefinition,
  Deployment,
  Job,
  kind,
  realClock,
  s,
  Secret,
  Service,
} from "@levelset/core";
import type { Clock } from "@levelset/core";
import { child, job, ok, operator, step, wait, workload } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { App, appOperator, liveCluster, PASSWORD, planOn } from "./upgrade.fixture.ts";
import { changesAnything, hasRegression } from "./upgrade-plan.ts";

/** A clock whose pauses end at once. */
const IMPATIENT: Clock = { ...realClock, sleep: () => Promise.resolve() };

describe("a plan", () => {
  test("of the same version changes nothing, and reads without writing", async () => {
    await using cluster = await liveCluster({});
    const before = await cluster.list(Deployment);
    const { plan, text, requests } = await planOn(cluster, [appOperator()]);
    expect(text).toBe("no changes; 3 objects unchanged\n");
    expect([changesAnything(plan), hasRegression(plan)]).toEqual([false, false]);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(await cluster.list(Deployment)).toEqual(before);
  });

  test("of a changed image shows the diff and the pods that restart", async () => {
    await using cluster = await liveCluster({});
    const { plan, text } = await planOn(cluster, [appOperator({ image: "web:2" })]);
    expect(text).toContain("  ~ Deployment  default/shop  image 1 → 2; would roll 3 pods\n");
    expect(text).toContain("-        - image: web:1\n+        - image: web:2\n");
    expect(text).toMatch(/would report:\n {4}App default\/shop {2}Ready True → False {2}Progressing {2}/u);
    expect(text).toContain("1 to change, 1 status to change, 3 pods to restart; 1 object unchanged\n");
    expect([changesAnything(plan), hasRegression(plan)]).toEqual([true, false]);
  });

  test("shows a removed child as deleted, and leaves foreign objects", async () => {
    await using cluster = await liveCluster({});
    await cluster.create(ConfigMap, { name: "foreign", data: { a: "b" } });
    const { text, plan } = await planOn(cluster, [appOperator({ flags: false })]);
    expect(text).toBe("  - ConfigMap  default/shop-flags\n\n1 to delete; 3 objects unchanged\n");
    expect(hasRegression(plan)).toBe(false);
    expect(await cluster.get(ConfigMap, "shop-flags")).toBeDefined();
  });

  test("shows new children as created, with the fields that the operator sets", async () => {
    await using cluster = await liveCluster({});
    const more = [
      child(App, "Address", {
        kind: Service,
        desired: ({ name }) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], selector: { app: name } } }),
      }),
    ];
    const { text } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain("  + Service  default/shop\n");
    expect(text).toContain("+  name: shop\n");
    expect(text).not.toMatch(/managedFields|resourceVersion| levelset\.dev\/|creationTimestamp/u);
    expect(text).toContain("+  clusterIP: (assigned)\n");
    expect(text).toContain("1 to create; 3 objects unchanged\n");
  });

  test("of a changed status shows what would be reported", async () => {
    await using cluster = await liveCluster({ note: "old" });
    const { text, plan } = await planOn(cluster, [appOperator({ note: "new" })]);
    expect(text).toBe(
      [
        "would report:",
        "    App default/shop  Ready True → True  Ready  note old → new",
        "",
        "1 status to change; 2 objects unchanged",
        "",
      ].join("\n"),
    );
    expect([changesAnything(plan), hasRegression(plan)]).toEqual([true, false]);
  });

  test("lists the Jobs that would run", async () => {
    await using cluster = await liveCluster({});
    const more = [
      job(App, "Migrate", {
        statusField: "migration",
        desired: ({ name }) => ({
          metadata: { name: `${name}-migrate` },
          spec: {
            template: { spec: { restartPolicy: "Never", containers: [{ name: "migrate", image: "migrate:1" }] } },
          },
        }),
      }),
    ];
    const { text, plan } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain("  + Job  default/shop-migrate  would run\n");
    expect(text).toContain("batch.kubernetes.io/controller-uid: (assigned)\n");
    expect(text).toContain("1 to create, 1 to change, 1 status to change, 1 Job to run; 2 objects unchanged\n");
    expect(hasRegression(plan)).toBe(false);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("counts the pods of a workload that is recreated, and stops none of one that is deleted", async () => {
    await using cluster = await liveCluster({});
    const renamed = operator(App, [
      workload(App, "Web", {
        kind: Deployment,
        desired: ({ name }) => ({
          metadata: { name: `${name}-web` },
          spec: {
            selector: { matchLabels: { app: name } },
            template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
          },
        }),
      }),
    ]);
    const { plan } = await planOn(cluster, [renamed]);
    expect(plan.objects.map(({ action, ref, restarts }) => [action, ref.name, restarts])).toEqual([
      ["create", "shop-web", 0],
    ]);
  });
});

describe("external steps", () => {
  test("are held back, and the status that depends on them is not reported", async () => {
    const calls: string[] = [];
    const service = (verb: string): void => void calls.push(verb);
    await using cluster = await liveCluster({ service });
    calls.length = 0;
    const { text, plan } = await planOn(cluster, [appOperator({ service, image: "web:2" })]);
    expect(calls).toEqual([]);
    expect(text).toContain("held back: observe Bucket of App default/shop\n");
    expect(text).toContain("steps after a held-back call did not run");
    expect(plan.reports).toEqual([]);
    expect(hasRegression(plan)).toBe(false);
  });

  test("are held back when an object is being deleted", async () => {
    const calls: string[] = [];
    const service = (verb: string): void => void calls.push(verb);
    await using cluster = await liveCluster({ service });
    await cluster.delete(App, "shop");
    calls.length = 0;
    const { text } = await planOn(cluster, [appOperator({ service })]);
    expect(calls).toEqual([]);
    expect(text).toContain("held back: delete Bucket of App default/shop\n");
  });
});

test("an object that is being deleted is cleaned up with its children", async () => {
  const cleanup = (): Parameters<typeof appOperator>[0] => ({
    more: [step(App, "Clean", { do: () => ok(), cleanup: () => ok() })],
  });
  await using cluster = await liveCluster(cleanup() ?? {});
  await cluster.delete(App, "shop");
  const { plan } = await planOn(cluster, [appOperator(cleanup())]);
  expect(plan.objects.map(({ action, ref }) => `${action} ${ref.kind}`).toSorted()).toEqual([
    "delete App",
    "delete ConfigMap",
    "delete Deployment",
  ]);
});

describe("regressions", () => {
  test("a step that throws is a problem of its object", async () => {
    await using cluster = await liveCluster({});
    const more = [
      step(App, "Broken", {
        do: (req) => {
          const nothing = req.object as unknown as { readonly nothing: { readonly here: string } };
          return nothing.nothing.here === "" ? ok() : ok();
        },
      }),
    ];
    const { text, plan } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain("problems:\n  ✗ App default/shop  step Broken: Cannot read properties of undefined");
    expect(text).toMatch(/✗ App default\/shop {2}Ready True → False {2}Degraded/u);
    expect(hasRegression(plan)).toBe(true);
  });

  test("a Ready object that waits for an input that does not exist is one", async () => {
    await using cluster = await liveCluster({});
    const more = [step(App, "Input", { do: () => wait("secret/db does not exist") })];
    const { text, plan } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain("  ✗ App default/shop  Ready True → False  Progressing");
    expect(hasRegression(plan)).toBe(true);
  });

  test("an object that failed before is none", async () => {
    const more = [step(App, "Down", { do: () => Promise.reject(new Error("the service is down")) })];
    await using cluster = await liveCluster({ more });
    const { plan } = await planOn(cluster, [appOperator({ more })]);
    expect([changesAnything(plan), hasRegression(plan)]).toEqual([false, false]);
  });

  test("an object that is not valid for the new schema is one", async () => {
    await using cluster = await liveCluster({}, (live) => live.apply(App, { name: "shop", spec: { size: 9 } }));
    const Stricter = kind({
      group: App.group,
      version: App.version,
      kind: App.kind,
      spec: s.object({ replicas: s.int32().default(3), size: s.int32().max(5).optional() }),
    });
    const own = operator(Stricter, [step(Stricter, "Nothing", { do: () => ok() })]);
    const { text, plan } = await planOn(cluster, [own]);
    expect(text).toContain("✗ App default/shop  is not valid for the new schema: spec.size: ");
    expect(hasRegression(plan)).toBe(true);
  });

  test("a field that the new schema does not declare is one", async () => {
    await using cluster = await liveCluster({}, (live) => live.apply(App, { name: "shop", spec: { size: 9 } }));
    const Smaller = kind({
      group: App.group,
      version: App.version,
      kind: App.kind,
      spec: s.object({ replicas: s.int32().default(3) }),
    });
    const own = operator(Smaller, [step(Smaller, "Nothing", { do: () => ok() })]);
    const { text } = await planOn(cluster, [own]);
    expect(text).toContain("would lose spec.size, which the new schema does not declare");
  });

  test("a request without a declared right is one, with the rule that is missing", async () => {
    await using cluster = await liveCluster({}, (live) => live.apply(App, { name: "shop", spec: {} }));
    const more = [
      step(App, "Settings", {
        do: async ({ client }) => {
          await client.list(ConfigMap, { namespace: "default" });
          await client.apply(Secret, { metadata: { namespace: "default", name: "key" } }, { force: true });
          return ok();
        },
      }),
    ];
    const missing = `{ apiGroups: [""], resources: ["secrets"], verbs: ["patch"] }`;
    const { text, plan } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain(
      `problems:\n  ✗ operator  sends requests that a cluster refuses, because it does not declare the rule ${missing}: `,
    );
    expect(plan.problems.length).toBe(1);
    expect(hasRegression(plan)).toBe(true);
    const other = [
      step(App, "Elsewhere", {
        do: async ({ client }) => {
          await client.list(ConfigMap, { namespace: "kube-system" });
          return ok();
        },
      }),
    ];
    const narrow = await planOn(cluster, [appOperator({ more: other })], { namespaces: ["default"] });
    expect(narrow.text).toContain(
      `{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] } in namespace kube-system: `,
    );
  });

  test("an operator that never stops writing is one", async () => {
    await using cluster = await liveCluster({});
    let runs = 0;
    const more = [
      step(App, "Busy", {
        do: (req) => {
          req.status.note = `run ${++runs}`;
          req.requeueAfter(1_000);
          return ok();
        },
      }),
    ];
    const { text, plan } = await planOn(cluster, [appOperator({ more })]);
    expect(text).toContain("  ✗ operator  does not come to rest; most written: App shop (");
    expect(hasRegression(plan)).toBe(true);
  });
});

test("an object whose step does not end makes the plan incomplete", async () => {
  await using cluster = await liveCluster({});
  const more = [step(App, "Stuck", { do: () => new Promise<never>(() => {}) })];
  const { text, plan } = await planOn(cluster, [appOperator({ more })], { clock: IMPATIENT });
  expect(text).toContain("  ✗ operator  1 object is still being reconciled: a step waits for another system");
  expect(hasRegression(plan)).toBe(true);
});

test("objects of a kind in a group of the Kubernetes project are planned", async () => {
  const Route = kind({ group: "gateway.networking.k8s.io", version: "v1", kind: "HTTPRoute", spec: s.object({}) });
  const more = [child(App, "Route", { kind: Route, desired: ({ name }) => ({ metadata: { name }, spec: {} }) })];
  const { metadata, spec } = crdOf(Route);
  const annotations = { "api-approved.kubernetes.io": "https://example.com/approval" };
  await using cluster = await liveCluster({}, async (live) => {
    await live.create(CustomResourceDefinition, { name: metadata.name, annotations, spec });
    await live.apply(App, { name: "shop", spec: {} });
  });
  const { text } = await planOn(cluster, [appOperator({ more })]);
  expect(text).toContain("  + HTTPRoute  default/shop\n");
});

describe("values of Secrets", () => {
  test("are never shown, also where the operator copies them to", async () => {
    const secret = { name: "db", stringData: { password: PASSWORD } } as never; // typed by key
    await using cluster = await liveCluster({}, async (live) => {
      await live.create(Secret, secret);
      await live.apply(App, { name: "shop", spec: {} });
    });
    const { text, json } = await planOn(cluster, [appOperator({ password: true })]);
    const encoded = Buffer.from(PASSWORD).toString("base64");
    for (const output of [text, json]) {
      expect(output).not.toContain(PASSWORD);
      expect(output).not.toContain(encoded);
    }
    expect(text).toContain("+  url: me:***@db\n");
    expect(text).toContain("+  password: '***'\n");
    expect(text).toContain("2 to create");
  });

  test("are the same in the copy, so that nothing changes", async () => {
    const secret = { name: "db", stringData: { password: PASSWORD } } as never; // typed by key
    await using cluster = await liveCluster({ password: true }, async (live) => {
      await live.create(Secret, secret);
      await live.apply(App, { name: "shop", spec: {} });
    });
    expect((await planOn(cluster, [appOperator({ password: true })])).text).toBe("no changes; 6 objects unchanged\n");
  });
});
