import { ConfigMap, controllerReference, Job, Pod } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import type { Stage } from "@levelset/apiserver";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import type { Step } from "../../engine/index.ts";
import { later, started } from "./app-cluster.fixture.ts";
import { App, describeJobRuns, jobOf, migrate } from "./app.fixture.ts";

const MINUTE = 60_000;
const LONG = { "sim.levelset.dev/run-for": "10m" };
const EARLIER = { severity: "Info", reason: "Requested" } as const;
const STILL_RUNS = {
  ...EARLIER,
  message: "job/a-migrate still runs for an earlier version: 0 of 1 pods succeeded, 1 active",
} as const;

/** A step whose Job has other fields than that of the fixture. */
function migrateWith(change: (job: NewOf<typeof Job>) => NewOf<typeof Job>): Step<App> {
  return migrate({ desired: ({ object }) => change(jobOf(object)) });
}

/** Changes the pod of a Job. */
function withPod(job: NewOf<typeof Job>, fields: object): NewOf<typeof Job> {
  const { template } = job.spec ?? { template: {} };
  return {
    ...job,
    spec: {
      ...job.spec,
      template: { ...template, spec: { ...template.spec, containers: template.spec?.containers ?? [], ...fields } },
    },
  };
}

/** Simulates an init container that runs for ten minutes. */
const LONG_INIT: readonly Stage[] = [
  initStage("init-started", "waiting", 1_000, () => ({ running: { startedAt: "2026-01-01T00:00:01Z" } })),
  initStage("init-ended", "running", 10 * MINUTE, () => ({ terminated: { exitCode: 0 } })),
];

function initStage(name: string, from: string, after: number, to: () => object): Stage {
  const initOf = (pod: object): readonly { readonly state: object }[] =>
    (pod as { readonly status?: { readonly initContainerStatuses?: [] } }).status?.initContainerStatuses ?? [];
  return {
    name,
    resource: "pods",
    when: (pod) => initOf(pod).some(({ state }) => from in state),
    after,
    effect: {
      kind: "status",
      status: (pod) => ({
        ...(pod["status"] as object),
        initContainerStatuses: initOf(pod).map((status) => ({ ...status, state: to() })),
      }),
    },
  };
}

const isPodList = ({ path }: { readonly path: string }): boolean => path.endsWith("/pods");

/** Refuses to list pods. */
function forbidPods(cluster: TestCluster): void {
  for (let nth = 1; nth <= 100; nth++) cluster.faults.failNth(nth, { kind: "status", reason: "Forbidden" }, isPodList);
}

describe("a Job of an earlier version", () => {
  test("that cannot start does not block the correction of its image", async () => {
    await using cluster = await started({ image: "web:does-not-exist" });
    await later(cluster, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 45_000)).toHaveCondition("MigrationReady", "False", {
      ...EARLIER,
      message: "job/a-migrate has not started for an earlier version: 0 of 1 pods succeeded, 1 active",
    });
    expect(cluster.faults.count(isPodList)).toBe(0);
    expect(await later(cluster, 30_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:does-not-exist unfinished", "web:2 Complete"]);
    expect(cluster.faults.count(isPodList)).toBe(1);
  });

  test("that cannot start and whose pods have a selector of their user is deleted", async () => {
    const labels = { app: "migrate" };
    const selected = migrateWith((made) => {
      const own = { ...made.spec?.template, metadata: { labels } };
      return {
        ...made,
        spec: { ...made.spec, manualSelector: true, selector: { matchLabels: labels }, template: own },
      };
    });
    await using cluster = await started({ image: "web:does-not-exist" }, [selected]);
    const ownerReferences = [controllerReference(await cluster.create(ConfigMap, { name: "other" }))];
    const spec = { containers: [{ name: "main", image: "web:0" }] };
    await cluster.create(Pod, { name: "other", labels, ownerReferences, spec });
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 90_000)).toBeReady();
  });

  test("that gets no pods, because they are refused, does not block the next one", async () => {
    const refused = migrateWith((made) => {
      const isRefused = made.spec?.template.spec?.containers[0]?.image === "web:1";
      return isRefused ? { ...made, spec: { ...made.spec, managedBy: "test.levelset.dev/quota" } } : made;
    });
    await using cluster = await started({}, [refused]);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 90_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished", "web:2 Complete"]);
  });

  test("that runs its pods in another cluster completes", async () => {
    const elsewhere = migrateWith((made) => ({
      ...made,
      spec: { ...made.spec, managedBy: "kueue.x-k8s.io/multikueue" },
    }));
    await using cluster = await started({}, [elsewhere]);
    await cluster.patchStatus(Job, "a-migrate", { active: 1, startTime: "2026-01-01T00:00:00Z" });
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 5 * MINUTE)).toHaveCondition("MigrationReady", "False", STILL_RUNS);
    expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished"]);
  });

  test("whose pod is replaced gets another minute to start", async () => {
    await using cluster = await started({ image: "web:does-not-exist" });
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    await later(cluster, 50_000);
    for (const { metadata } of await cluster.list(Pod)) await cluster.delete(Pod, metadata.name);
    await later(cluster, 50_000);
    expect(describeJobRuns(cluster)).toEqual(["web:does-not-exist unfinished"]);
    expect(await later(cluster, 30_000)).toBeReady();
  });

  test("stays while none is desired, although it cannot start", async () => {
    const optional = migrate({ desired: ({ object }) => (object.spec.replicas === 0 ? undefined : jobOf(object)) });
    await using cluster = await started({ pods: { "sim.levelset.dev/start-after": "5m" } }, [optional]);
    await later(cluster, 2 * MINUTE);
    await cluster.patch(App, "a", { spec: { replicas: 0 } });
    expect(await later(cluster, MINUTE)).toHaveCondition("MigrationReady", "False", STILL_RUNS);
    await cluster.patch(App, "a", { spec: { replicas: 1 } });
    expect(await later(cluster, 5 * MINUTE)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("stays if the operator may not list pods, and the condition says so", async () => {
    await using cluster = await started({ image: "web:does-not-exist" });
    forbidPods(cluster);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 10 * MINUTE)).toHaveCondition("MigrationReady", "False", {
      ...EARLIER,
      message: /^job\/a-migrate may still run for an earlier version: .*; its pods cannot be listed: /u,
    });
    expect(describeJobRuns(cluster)).toEqual(["web:does-not-exist unfinished"]);
  });
});

describe("a Job of an earlier version completes, however long it takes,", () => {
  const crashing = migrateWith((made) => {
    const { metadata, spec } = withPod(made, { restartPolicy: "OnFailure" });
    return { metadata, spec: { ...spec, backoffLimit: 100 } };
  });
  const initialized = migrateWith((made) => withPod(made, { initContainers: [{ name: "dump", image: "dump:1" }] }));
  const neverReady = { ...LONG, "sim.levelset.dev/fail": "NeverReady" };

  test.for<readonly [string, Readonly<Record<string, string>>, Step<App>, readonly Stage[]]>([
    ["if its pod is ready", LONG, migrate(), []],
    ["if its pod is not ready", neverReady, migrate(), []],
    ["if it runs an init container", LONG, initialized, LONG_INIT],
    ["if its container is restarted with backoff", { "sim.levelset.dev/exit-code": "1" }, crashing, []],
  ])("%s", async ([, pods, step, stages]) => {
    await using cluster = await started({ pods }, [step], { stages });
    await later(cluster, 10_000);
    const before = await cluster.untilSettled(Job, "a-migrate");
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 5 * MINUTE)).toHaveCondition("MigrationReady", "False", STILL_RUNS);
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.uid).toBe(before.metadata.uid);
    for (const { metadata } of await cluster.list(Pod))
      await cluster.patch(Pod, metadata.name, { metadata: { annotations: { "sim.levelset.dev/exit-code": "0" } } });
    await later(cluster, 60 * MINUTE);
    expect(describeJobRuns(cluster)[0]).toBe("web:1 Complete");
  });
});
