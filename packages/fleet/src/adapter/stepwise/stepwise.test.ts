import { apiVersionOf, ConfigMap, Deployment, Job, kind, Namespace, ownerMark, s } from "@levelset/core";
import { child, fail, job, ok, requeueAfter, step, wait } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { adapter, fresh } from "./index.ts";
import { Stage } from "../stage.fixture.ts";
import { Cluster, NETWORK } from "./network.fixture.ts";

const CHECK = adapter(Cluster, "network", [
  job(Cluster, "Check", {
    remember: "checked",
    desired: ({ name, spec }) => ({
      metadata: { name: `check-${name}`, namespace: "default" },
      spec: {
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: `check:${spec.region}` }] } },
      },
    }),
  }),
]);

describe("a resource", () => {
  test("is brought to its latest declaration, and is Ready when its workload is, without another pulse", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create({ region: "eu" });
    expect((await stage.pulse(id)).status).toBe("success");
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=True");
    expect(await stage.condition(id, "Ready")).toBe("False");
    await stage.pass(60_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    expect(await stage.condition(id, "Ready")).toBe("True");
    await stage.clusters.patch(id, { spec: { region: "us" } });
    expect(await stage.condition(id, "Ready")).toBe("False");
    await stage.pulse(id);
    await stage.pass(60_000);
    expect(await stage.condition(id, "Ready")).toBe("True");
    const router = await stage.cluster.get(Deployment, "router", `fleet-${id}`);
    expect(router?.spec.template.spec?.containers[0]?.image).toBe("router:us");
  });

  test("is finalized when everything that was made for it is gone, and not before", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    await stage.cluster.patch(Deployment, "router", { metadata: { finalizers: ["test/hold"] } }, `fleet-${id}`);
    await stage.clusters.delete(id);
    await stage.pulse(id);
    expect(await stage.reported(id)).toBe("@2 Available=False Applied=True Health=True Finalized=False");
    expect(await stage.resource(id)).toBeDefined();
    await stage.cluster.patch(Deployment, "router", { metadata: { finalizers: [] } }, `fleet-${id}`);
    await stage.pass(60_000);
    expect(await stage.resource(id)).toBeUndefined();
    expect(await stage.cluster.get(Namespace, `fleet-${id}`)).toBeUndefined();
    expect((await stage.pulse(id)).status).toBe("skipped");
  });

  test("whose children are no cluster's owner's are not collected by the cluster", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    const made = await stage.cluster.get(Namespace, `fleet-${id}`);
    expect(made?.metadata.ownerReferences).toBeUndefined();
    expect(made?.metadata.labels).toMatchObject({ "levelset.dev/owner-uid": id });
  });
});

/** The data of what was last reported, by each adapter. */
async function remembered(stage: Stage, id: string): Promise<readonly unknown[]> {
  const kept: unknown[] = [];
  for await (const { progress, data } of stage.clusters.statuses(id)) kept.push((progress ?? { data }).data);
  return kept;
}

/** A step that answers what the test says. */
function saying(answer: () => ReturnType<typeof ok> | ReturnType<typeof wait>): ReturnType<typeof adapter> {
  return adapter(Cluster, "network", [step(Cluster, "One", { condition: "One", do: answer })]);
}

describe("the report comes from the run", () => {
  test.each([
    ["ok", () => ok(), "Available=True Applied=True Health=True"],
    ["waiting", () => wait("not yet"), "Available=Unknown Applied=True Health=True"],
    ["looking again", () => requeueAfter("not yet", 60_000), "Available=Unknown Applied=True Health=True"],
    ["broken input", () => wait("no such zone", { severity: "Error" }), "Available=False Applied=True Health=True"],
    ["a doubt", () => wait("an old zone", { severity: "Warning" }), "Available=False Applied=True Health=True"],
    ["failing", () => fail("boom"), "Available=Unknown Applied=Unknown Health=False"],
  ])("%s", async (_, answer, expected) => {
    await using stage = await Stage.open();
    await stage.start(adapter(Cluster, "network", [step(Cluster, "One", { condition: "One", do: answer })]));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await stage.reported(id)).toBe(`@1 ${expected}`);
  });

  test("it names the step that is in the way, not those behind it", async () => {
    await using stage = await Stage.open();
    const behind = step(Cluster, "Behind", { condition: "Behind", do: () => ok() });
    const inTheWay = step(Cluster, "InTheWay", { condition: "InTheWay", do: () => wait("no zone is left") });
    await stage.start(adapter(Cluster, "network", [inTheWay, behind]));
    const id = await stage.create();
    await stage.pulse(id);
    for await (const { conditions } of stage.clusters.statuses(id)) {
      expect(conditions[0]).toMatchObject({ type: "Available", message: "InTheWay: no zone is left" });
    }
    expect.assertions(1);
  });

  test("every pulse is answered by a report, also when nothing has changed", async () => {
    await using stage = await Stage.open();
    await stage.start(adapter(Cluster, "network", [step(Cluster, "One", { do: () => ok() })]));
    const id = await stage.create();
    for (let n = 0; n < 3; n += 1) {
      await stage.pass(1_000);
      await stage.pulse(id);
    }
    expect(stage.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(3);
  });

  test("what steps remember outlives the adapter", async () => {
    await using stage = await Stage.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        keeps: ["seen"],
        do: (req) => {
          const seen = (req.object.status?.seen ?? 0) + 1;
          req.status.seen = seen;
          return seen % 2 === 0 ? wait("a verdict, then progress") : ok();
        },
      }),
    ]);
    await stage.start(counting);
    const id = await stage.create();
    // Once for each pulse, and once because it was started anew.
    for (const seen of [1, 3, 5, 6]) {
      await stage.pass(1_000);
      await stage.pulse(id);
      expect(await remembered(stage, id)).toMatchObject([{ status: { seen } }]);
      if (seen !== 5) await stage.start(counting);
    }
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await remembered(stage, id)).toMatchObject([{ status: { seen: 8 } }]);
  });

  test("what they remember without a pulse, and without another verdict, outlives it too", async () => {
    await using stage = await Stage.open();
    const counting = adapter(Cluster, "network", [
      step(Cluster, "Count", {
        keeps: ["seen"],
        do: (req) => {
          const seen = (req.object.status?.seen ?? 0) + 1;
          req.status.seen = seen;
          return seen < 3 ? requeueAfter("not yet", 60_000) : wait("not yet");
        },
      }),
    ]);
    await stage.start(counting);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    await stage.pass(60_000);
    expect(await remembered(stage, id)).toMatchObject([{ status: { seen: 3 } }]);
    const sent = stage.requests.filter((request) => request.startsWith("PUT")).length;
    await stage.pass(600_000);
    expect(stage.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(sent);
    await stage.start(counting);
    await stage.pass(1_000);
    await stage.pulse(id);
    // Once for the pulse, and once because it was started anew.
    expect(await remembered(stage, id)).toMatchObject([{ status: { seen: 5 } }]);
  });

  test("a verdict that is fresh is not made again", async () => {
    await using stage = await Stage.open();
    let runs = 0;
    const once = step(Cluster, "One", {
      do: () => {
        runs += 1;
        return ok(undefined);
      },
    });
    await stage.start(adapter(Cluster, "network", [once], { skipWhile: fresh(60_000) }));
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(59_000);
    expect(await stage.pulse(id)).toMatchObject({ status: "skipped", skipReason: "the last verdict is fresh" });
    await stage.clusters.patch(id, { spec: { region: "us" } });
    await stage.pulse(id);
    expect(runs).toBe(2);
    await stage.pass(61_000);
    await stage.pulse(id);
    expect(runs).toBe(3);
  });
});

test("a Job is run for each declaration; while it runs, what was Ready stays Ready at its generation", async () => {
  await using stage = await Stage.open();
  await stage.start(CHECK);
  const id = await stage.create({ region: "eu" });
  await stage.pulse(id);
  expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=True");
  await stage.pass(120_000);
  expect(await stage.condition(id, "Ready")).toBe("True");
  await stage.pulse(id);
  expect(await stage.condition(id, "Ready")).toBe("True");
  await stage.clusters.patch(id, { spec: { region: "us" } });
  await stage.pulse(id);
  expect(await stage.condition(id, "Available")).toBe("True");
  expect(await stage.condition(id, "Ready")).toBe("False");
  await stage.pass(120_000);
  expect(await stage.condition(id, "Ready")).toBe("True");
  const [run] = await stage.cluster.list(Job);
  expect(run?.spec.template.spec.containers[0]?.image).toBe("check:us");
});

test("a drifted child is mended and reported without a pulse", async () => {
  await using stage = await Stage.open();
  const settings = child(Cluster, "Settings", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name, namespace: "default" }, data: { region: spec.region } }),
  });
  await stage.start(adapter(Cluster, "network", [settings]));
  const id = await stage.create();
  await stage.pulse(id);
  await stage.cluster.delete(ConfigMap, id);
  await stage.pass(1_000);
  expect((await stage.cluster.get(ConfigMap, id))?.data).toEqual({ region: "eu" });
});

test.each([
  [
    "a kind of the cluster",
    () => adapter(kind({ group: "a.b", version: "v1", kind: "X", spec: s.object({}) }), "x", []),
    "fleetKind",
  ],
  ["a name that is none", () => adapter(Cluster, "Not A Name", []), "no name of an adapter"],
  ["a time that is none", () => fresh(0), "above 0"],
])("%s is refused when it is declared", (_, declare, message) => {
  expect(declare).toThrow(message);
});

describe("a pulse", () => {
  test("in the same moment as another is answered by a report that counts", async () => {
    await using stage = await Stage.open();
    let isDone = false;
    await stage.start(saying(() => (isDone ? ok() : wait("not yet", { severity: "Error" }))));
    const id = await stage.create();
    await stage.pulse(id);
    isDone = true;
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("Available=True");
  });

  test("is handed out again when the API is away", async () => {
    await using stage = await Stage.open();
    await stage.start(saying(() => ok()));
    const id = await stage.create();
    stage.isApiAway = true;
    const answered = stage.pulse(id);
    await stage.pass(600_000);
    expect(await answered).toMatchObject({ status: "failed", isRetryable: true });
    stage.isApiAway = false;
    expect(await stage.pulse(id)).toMatchObject({ status: "success" });
  });

  test("for what is finalized already is answered again, as long as others are not", async () => {
    await using stage = await Stage.open({ adapters: ["network", "other"] });
    await stage.start(saying(() => ok()));
    const id = await stage.create();
    await stage.pulse(id);
    await stage.clusters.delete(id);
    for (let n = 0; n < 2; n += 1) {
      await stage.pass(1_000);
      expect(await stage.pulse(id)).toMatchObject({ status: "success" });
      expect(await stage.reported(id)).toContain("Finalized=True");
    }
    expect(stage.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(3);
  });

  test("is answered by a run that has seen what it is about, not by one that was under way", async () => {
    await using stage = await Stage.open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const slow = step(Cluster, "Slow", {
      do: async () => {
        runs += 1;
        if (runs === 2) await gate.promise;
        return requeueAfter("not yet", 60_000);
      },
    });
    await stage.start(adapter(Cluster, "network", [slow]));
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    await stage.clusters.patch(id, { spec: { region: "us" } });
    stage.requests.length = 0;
    const answered = stage.pulse(id);
    await stage.rest();
    gate.resolve();
    await answered;
    expect(runs).toBe(3);
    expect(await stage.reported(id)).toContain("@2 ");
    expect(stage.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
  });
});

/** What a pulse has been answered with so far. */
function answersOf<T>(answer: Promise<T>): readonly T[] {
  const answers: T[] = [];
  void answer.then((each) => answers.push(each));
  return answers;
}

describe("a pulse is answered", () => {
  test("also behind twelve events of children that came before it", async () => {
    await using stage = await Stage.open();
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
    await stage.start(adapter(Cluster, "network", [crowd]));
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    const mark = ownerMark({
      apiVersion: apiVersionOf(Cluster),
      kind: "Cluster",
      metadata: { name: id, uid: id, resourceVersion: "1" },
    });
    for (let n = 0; n < 12; n++) await stage.cluster.create(ConfigMap, { name: `child-${n}`, ...mark });
    await stage.rest();
    const answered = answersOf(stage.pulse(id));
    await stage.rest();
    gate.resolve();
    await stage.pass(1_000);
    expect(answered).toMatchObject([{ status: "success" }]);
    expect(runs).toBe(3);
  });

  test("by a run that saw it, not by one that an earlier pulse began and whose deadline is over", async () => {
    await using stage = await Stage.open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const slow = step(Cluster, "Slow", {
      do: async () => {
        runs += 1;
        if (runs === 2) await gate.promise;
        return ok();
      },
    });
    await stage.start(adapter(Cluster, "network", [slow]));
    const id = await stage.create();
    await stage.pulse(id);
    const deadline = new AbortController();
    const given = stage.pulse(id, deadline.signal).catch(() => "over");
    await stage.rest();
    deadline.abort();
    expect(await given).toBe("over");
    await stage.clusters.patch(id, { spec: { region: "us" } });
    stage.requests.length = 0;
    const answered = answersOf(stage.pulse(id));
    await stage.rest();
    gate.resolve();
    await stage.pass(1_000);
    expect(answered).toMatchObject([{ status: "success" }]);
    expect(runs).toBe(3);
    expect(await stage.reported(id)).toContain("@2 ");
    expect(stage.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
  });
});

test("what is gone without a word is forgotten when the next report is not wanted", async () => {
  await using stage = await Stage.open();
  let runs = 0;
  const restless = step(Cluster, "Restless", {
    do: () => {
      runs += 1;
      return requeueAfter(`for the ${runs}. time`, 60_000);
    },
  });
  await stage.start(adapter(Cluster, "network", [restless]));
  const id = await stage.create();
  await stage.pulse(id);
  await stage.clusters.delete(id);
  await stage.clusters.forceDelete(id, "test");
  await stage.pass(60_000);
  expect(runs).toBe(2);
  await stage.pass(600_000);
  expect(runs).toBe(2);
});
