import { apiVersionOf, ConfigMap, Deployment, Job, kind, Namespace, s } from "@levelset/core";
import { ownerAnnotations } from "@levelset/core/internal";
import { child, fail, job, ok, requeueAfter, step, wait } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { adapter, fresh } from "./index.ts";
import { AdapterHarness } from "../adapter-harness.fixture.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

const CHECK = adapter(Cluster, "network", [
  job(Cluster, "Check", {
    statusField: "checked",
    desired: ({ name, spec }) => ({
      metadata: { name: `check-${name}`, namespace: "default" },
      spec: {
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: `check:${spec.region}` }] } },
      },
    }),
  }),
]);

describe("a resource", () => {
  test("is reconciled to its latest spec, and is Ready when its workload is, without another pulse", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create({ region: "eu" });
    expect((await harness.pulse(id)).status).toBe("success");
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=True");
    expect(await harness.condition(id, "Ready")).toBe("False");
    await harness.advance(60_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    expect(await harness.condition(id, "Ready")).toBe("True");
    await harness.clusters.patch(id, { spec: { region: "us" } });
    expect(await harness.condition(id, "Ready")).toBe("False");
    await harness.pulse(id);
    await harness.advance(60_000);
    expect(await harness.condition(id, "Ready")).toBe("True");
    const router = await harness.cluster.get(Deployment, "router", `fleet-${id}`);
    expect(router?.spec.template.spec?.containers[0]?.image).toBe("router:us");
  });

  test("is Finalized once all its children are deleted, and not before", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    await harness.cluster.patch(Deployment, "router", { metadata: { finalizers: ["test/hold"] } }, `fleet-${id}`);
    await harness.clusters.delete(id);
    await harness.pulse(id);
    expect(await harness.reported(id)).toBe("@2 Available=False Applied=True Health=True Finalized=False");
    expect(await harness.resource(id)).toBeDefined();
    await harness.cluster.patch(Deployment, "router", { metadata: { finalizers: [] } }, `fleet-${id}`);
    await harness.advance(60_000);
    expect(await harness.resource(id)).toBeUndefined();
    expect(await harness.cluster.get(Namespace, `fleet-${id}`)).toBeUndefined();
    expect((await harness.pulse(id)).status).toBe("skipped");
  });

  test("has children without owner references, which the garbage collector of the cluster ignores", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    const created = await harness.cluster.get(Namespace, `fleet-${id}`);
    expect(created?.metadata.ownerReferences).toBeUndefined();
    expect(created?.metadata.labels).toMatchObject({ "levelset.dev/owner-uid": id });
  });
});

/** Returns the data of the last report of each adapter. */
async function remembered(harness: AdapterHarness, id: string): Promise<readonly unknown[]> {
  const retained: unknown[] = [];
  for await (const { progress, data } of harness.clusters.statuses(id)) retained.push((progress ?? { data }).data);
  return retained;
}

/** A step that returns what the test provides. */
function adapterReturning(result: () => ReturnType<typeof ok> | ReturnType<typeof wait>): ReturnType<typeof adapter> {
  return adapter(Cluster, "network", [step(Cluster, "One", { condition: "One", do: result })]);
}

describe("the report is derived from the run", () => {
  test.each([
    ["ok", () => ok(), "Available=True Applied=True Health=True"],
    ["waiting", () => wait("not yet"), "Available=Unknown Applied=True Health=True"],
    ["looking again", () => requeueAfter("not yet", 60_000), "Available=Unknown Applied=True Health=True"],
    ["broken input", () => wait("no such zone", { severity: "Error" }), "Available=False Applied=True Health=True"],
    ["a doubt", () => wait("an old zone", { severity: "Warning" }), "Available=False Applied=True Health=True"],
    ["failing", () => fail("boom"), "Available=Unknown Applied=Unknown Health=False"],
  ])("%s", async (_, result, expected) => {
    await using harness = await AdapterHarness.open();
    await harness.start(adapter(Cluster, "network", [step(Cluster, "One", { condition: "One", do: result })]));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await harness.reported(id)).toBe(`@1 ${expected}`);
  });

  test("it names the blocking step, not the steps behind it", async () => {
    await using harness = await AdapterHarness.open();
    const behind = step(Cluster, "Behind", { condition: "Behind", do: () => ok() });
    const inTheWay = step(Cluster, "InTheWay", { condition: "InTheWay", do: () => wait("no zone is left") });
    await harness.start(adapter(Cluster, "network", [inTheWay, behind]));
    const id = await harness.create();
    await harness.pulse(id);
    for await (const { conditions } of harness.clusters.statuses(id)) {
      expect(conditions[0]).toMatchObject({ type: "Available", message: "InTheWay: no zone is left" });
    }
    expect.assertions(1);
  });

  test("every pulse is answered by a report, even if nothing has changed", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(adapter(Cluster, "network", [step(Cluster, "One", { do: () => ok() })]));
    const id = await harness.create();
    for (let n = 0; n < 3; n += 1) {
      await harness.advance(1_000);
      await harness.pulse(id);
    }
    expect(harness.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(3);
  });

  test("the status remembered by steps survives a restart of the adapter", async () => {
    await using harness = await AdapterHarness.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        preserveStatus: ["seen"],
        do: (req) => {
          const seen = (req.object.status?.seen ?? 0) + 1;
          req.status.seen = seen;
          return seen % 2 === 0 ? wait("a verdict, then progress") : ok();
        },
      }),
    ]);
    await harness.start(counting);
    const id = await harness.create();
    // Once for each pulse, and once for the restart.
    for (const seen of [1, 3, 5, 6]) {
      await harness.advance(1_000);
      await harness.pulse(id);
      expect(await remembered(harness, id)).toMatchObject([{ status: { seen } }]);
      if (seen !== 5) await harness.start(counting);
    }
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await remembered(harness, id)).toMatchObject([{ status: { seen: 8 } }]);
  });

  test("a remembered status that changed without a pulse and without a new verdict survives too", async () => {
    await using harness = await AdapterHarness.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        preserveStatus: ["seen"],
        do: (req) => {
          const seen = (req.object.status?.seen ?? 0) + 1;
          req.status.seen = seen;
          return seen < 3 ? requeueAfter("not yet", 60_000) : wait("not yet");
        },
      }),
    ]);
    await harness.start(counting);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    await harness.advance(60_000);
    expect(await remembered(harness, id)).toMatchObject([{ status: { seen: 3 } }]);
    const sent = harness.requests.filter((request) => request.startsWith("PUT")).length;
    await harness.advance(600_000);
    expect(harness.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(sent);
    await harness.start(counting);
    await harness.advance(1_000);
    await harness.pulse(id);
    // Once for the pulse, and once for the restart.
    expect(await remembered(harness, id)).toMatchObject([{ status: { seen: 5 } }]);
  });

  test("a fresh verdict is not recomputed", async () => {
    await using harness = await AdapterHarness.open();
    let runs = 0;
    const once = step(Cluster, "One", {
      do: () => {
        runs += 1;
        return ok(undefined);
      },
    });
    await harness.start(adapter(Cluster, "network", [once], { skipWhile: fresh(60_000) }));
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(59_000);
    expect(await harness.pulse(id)).toMatchObject({ status: "skipped", skipReason: "the last verdict is fresh" });
    await harness.clusters.patch(id, { spec: { region: "us" } });
    await harness.pulse(id);
    expect(runs).toBe(2);
    await harness.advance(61_000);
    await harness.pulse(id);
    expect(runs).toBe(3);
  });
});

test("a Job runs for each spec; while it runs, a Ready resource stays Ready at its generation", async () => {
  await using harness = await AdapterHarness.open();
  await harness.start(CHECK);
  const id = await harness.create({ region: "eu" });
  await harness.pulse(id);
  expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=True");
  await harness.advance(120_000);
  expect(await harness.condition(id, "Ready")).toBe("True");
  await harness.pulse(id);
  expect(await harness.condition(id, "Ready")).toBe("True");
  await harness.clusters.patch(id, { spec: { region: "us" } });
  await harness.pulse(id);
  expect(await harness.condition(id, "Available")).toBe("True");
  expect(await harness.condition(id, "Ready")).toBe("False");
  await harness.advance(120_000);
  expect(await harness.condition(id, "Ready")).toBe("True");
  const [run] = await harness.cluster.list(Job);
  expect(run?.spec.template.spec.containers[0]?.image).toBe("check:us");
});

test("a drifted child is fixed and reported without a pulse", async () => {
  await using harness = await AdapterHarness.open();
  const settings = child(Cluster, "Settings", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name, namespace: "default" }, data: { region: spec.region } }),
  });
  await harness.start(adapter(Cluster, "network", [settings]));
  const id = await harness.create();
  await harness.pulse(id);
  await harness.cluster.delete(ConfigMap, id);
  await harness.advance(1_000);
  expect((await harness.cluster.get(ConfigMap, id))?.data).toEqual({ region: "eu" });
});

test.each([
  [
    "a Kubernetes kind",
    () => adapter(kind({ group: "a.b", version: "v1", kind: "X", spec: s.object({}) }), "x", []),
    "fleetKind",
  ],
  ["an invalid name", () => adapter(Cluster, "Not A Name", []), "not a valid adapter name"],
  ["an invalid time", () => fresh(0), "positive number"],
])("%s is rejected at declaration", (_, declare, message) => {
  expect(declare).toThrow(message);
});

describe("a pulse", () => {
  test("at the same time as another is answered by a report that is accepted", async () => {
    await using harness = await AdapterHarness.open();
    let isDone = false;
    await harness.start(adapterReturning(() => (isDone ? ok() : wait("not yet", { severity: "Error" }))));
    const id = await harness.create();
    await harness.pulse(id);
    isDone = true;
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("Available=True");
  });

  test("is redelivered when the API is unavailable", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(adapterReturning(() => ok()));
    const id = await harness.create();
    harness.isApiDown = true;
    const answered = harness.pulse(id);
    await harness.advance(600_000);
    expect(await answered).toMatchObject({ status: "failed", isRetryable: true });
    harness.isApiDown = false;
    expect(await harness.pulse(id)).toMatchObject({ status: "success" });
  });

  test("for a finalized resource is answered again while other adapters are not done", async () => {
    await using harness = await AdapterHarness.open({ adapters: ["network", "other"] });
    await harness.start(adapterReturning(() => ok()));
    const id = await harness.create();
    await harness.pulse(id);
    await harness.clusters.delete(id);
    for (let n = 0; n < 2; n += 1) {
      await harness.advance(1_000);
      expect(await harness.pulse(id)).toMatchObject({ status: "success" });
      expect(await harness.reported(id)).toContain("Finalized=True");
    }
    expect(harness.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(3);
  });

  test("is answered by a run that has seen its generation, not by an earlier run in progress", async () => {
    await using harness = await AdapterHarness.open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const slow = step(Cluster, "Slow", {
      do: async () => {
        runs += 1;
        if (runs === 2) await gate.promise;
        return requeueAfter("not yet", 60_000);
      },
    });
    await harness.start(adapter(Cluster, "network", [slow]));
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    await harness.clusters.patch(id, { spec: { region: "us" } });
    harness.requests.length = 0;
    const answered = harness.pulse(id);
    await harness.untilIdle();
    gate.resolve();
    await answered;
    expect(runs).toBe(3);
    expect(await harness.reported(id)).toContain("@2 ");
    expect(harness.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
  });
});

/** Collects the results of a pulse so far. */
function answersOf<T>(result: Promise<T>): readonly T[] {
  const answers: T[] = [];
  void result.then((each) => answers.push(each));
  return answers;
}

describe("a pulse is answered", () => {
  test("even behind twelve earlier events of children", async () => {
    await using harness = await AdapterHarness.open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const crowd = step(Cluster, "Crowd", {
      owns: [ConfigMap],
      do: async () => {
        runs += 1;
        if (runs === 2) await gate.promise;
        return requeueAfter("not yet", 60_000);
      },
    });
    await harness.start(adapter(Cluster, "network", [crowd]));
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    const mark = ownerAnnotations({
      apiVersion: apiVersionOf(Cluster),
      kind: "Cluster",
      metadata: { name: id, uid: id, resourceVersion: "1" },
    });
    for (let n = 0; n < 12; n++) await harness.cluster.create(ConfigMap, { name: `child-${n}`, ...mark });
    await harness.untilIdle();
    const answered = answersOf(harness.pulse(id));
    await harness.untilIdle();
    gate.resolve();
    await harness.advance(1_000);
    expect(answered).toMatchObject([{ status: "success" }]);
    expect(runs).toBe(3);
  });

  test("by a run that saw it, not by a run of an earlier pulse whose deadline has expired", async () => {
    await using harness = await AdapterHarness.open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const slow = step(Cluster, "Slow", {
      do: async () => {
        runs += 1;
        if (runs === 2) await gate.promise;
        return ok();
      },
    });
    await harness.start(adapter(Cluster, "network", [slow]));
    const id = await harness.create();
    await harness.pulse(id);
    const deadline = new AbortController();
    const pulse = harness.pulse(id, deadline.signal).catch(() => "over");
    await harness.untilIdle();
    deadline.abort();
    expect(await pulse).toBe("over");
    await harness.clusters.patch(id, { spec: { region: "us" } });
    harness.requests.length = 0;
    const answered = answersOf(harness.pulse(id));
    await harness.untilIdle();
    gate.resolve();
    await harness.advance(1_000);
    expect(answered).toMatchObject([{ status: "success" }]);
    expect(runs).toBe(3);
    expect(await harness.reported(id)).toContain("@2 ");
    expect(harness.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
  });
});

test("a resource that was deleted without notice is forgotten when its next report gets 404", async () => {
  await using harness = await AdapterHarness.open();
  let runs = 0;
  const requeueing = step(Cluster, "Restless", {
    do: () => {
      runs += 1;
      return requeueAfter(`for the ${runs}. time`, 60_000);
    },
  });
  await harness.start(adapter(Cluster, "network", [requeueing]));
  const id = await harness.create();
  await harness.pulse(id);
  await harness.clusters.delete(id);
  await harness.clusters.forceDelete(id, "test");
  await harness.advance(60_000);
  expect(runs).toBe(2);
  await harness.advance(600_000);
  expect(runs).toBe(2);
});
