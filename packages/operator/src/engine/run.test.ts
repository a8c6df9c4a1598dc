import { ConfigMap, Secret } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { fail, ok, step } from "./index.ts";
import { create, FINALIZER, noop, recorder, Thing } from "./thing.fixture.ts";

describe("post", () => {
  test("runs after the cleanups too, and its failure keeps the finalizer", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    let isFull = true;
    const flush = (): ReturnType<typeof fail> | ReturnType<typeof ok> => (isFull ? fail("disk full") : ok());
    cluster.run(operator(Thing, [step("A", { cleanup: noop, post: noop }), step("B", { cleanup: noop, post: flush })]));
    await create(cluster);
    calls.length = 0;
    await cluster.delete(Thing, "a");
    const held = await cluster.untilSettled(Thing, "a");
    expect(calls.slice(0, 4)).toEqual(["B.cleanup", "A.cleanup", "A.post", "B.post"]);
    expect(held.metadata.finalizers).toEqual([FINALIZER]);
    expect(held).toHaveCondition("Ready", "False", { reason: "Deleting" });
    isFull = false;
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Thing, "a");
  });

  test("writes a status that is saved, also when do failed before it", async () => {
    await using cluster = await testCluster();
    const count = step(Thing, "Count", {
      do: () => fail("no route to host"),
      post: ({ status }) => {
        status.note = "counted";
        return ok();
      },
    });
    cluster.run(operator(Thing, [count]));
    const object = await create(cluster);
    expect(object.status?.note).toBe("counted");
    expect(object).toHaveCondition("Ready", "False", { message: "no route to host" });
  });
});

test("the output of a step is not available in the next run", async () => {
  await using cluster = await testCluster();
  const numbers = step(Thing, "Numbers", {
    do: ({ spec }) => (spec.mode === "fine" ? ok({ sum: 5 }) : fail("no numbers")),
  });
  const use = step(Thing, "Use", {
    condition: "Used",
    uses: [numbers],
    post: (req) => {
      req.status.note = `sum ${req.from(numbers).sum}`;
      return ok();
    },
  });
  cluster.run(operator(Thing, [numbers, use]));
  expect((await create(cluster)).status?.note).toBe("sum 5");
  await cluster.patch(Thing, "a", { spec: { mode: "broken" } });
  const object = await cluster.untilSettled(Thing, "a");
  expect(object.status).not.toHaveProperty("note");
  expect(object).toHaveCondition("Used", "False", { message: /has not succeeded in this run$/u });
});

test("every log line of a step names the controller, the object, the step and the run; each run has another id", async () => {
  await using cluster = await testCluster();
  const speak = step(Thing, "Speak", {
    do: ({ logger, spec }) => {
      logger.info("working", { mode: spec.mode });
      return ok();
    },
  });
  cluster.run(operator(Thing, [speak]));
  await create(cluster);
  await cluster.patch(Thing, "a", { spec: { mode: "other" } });
  await cluster.untilSettled(Thing, "a");
  const lines = cluster.logs.filter(({ message }) => message === "working").map(({ fields }) => fields);
  const common = { controller: "thing", kind: "Thing", namespace: "default", name: "a", step: "Speak" };
  expect(lines).toMatchObject([
    { ...common, mode: "fine" },
    { ...common, mode: "other" },
  ]);
  const ids = lines.map((fields) => fields["reconcileId"]);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/u), expect.stringMatching(/^[0-9a-f]{8}$/u)]);
  expect(new Set(ids).size).toBe(2);
});

test("a step reads declared kinds and its own writes without a request; reading an undeclared kind is an error", async () => {
  await using cluster = await testCluster();
  const key = { namespace: "default", name: "made" };
  const seen: unknown[] = [];
  const make = step(Thing, "Make", {
    owns: [ConfigMap],
    do: async ({ client, get, spec, signal }) => {
      if (spec.mode === "undeclared") get(Secret, key);
      if (get(ConfigMap, key) === undefined) {
        await client.create(ConfigMap, { metadata: key, data: { mode: spec.mode } }, { signal });
      }
      seen.push(get(ConfigMap, key)?.data?.["mode"]);
      return ok();
    },
  });
  cluster.run(operator(Thing, [make]));
  await create(cluster);
  await cluster.patch(Thing, "a", { spec: { mode: "other" } });
  await cluster.untilSettled(Thing, "a");
  expect(seen).toEqual(["fine", "fine"]);
  const { faults } = cluster;
  expect(faults.count(({ method, path }) => method === "POST" && path.endsWith("/configmaps"))).toBe(1);
  expect(faults.count(({ method, path }) => method === "GET" && path.endsWith("/configmaps/made"))).toBe(0);
  await cluster.patch(Thing, "a", { spec: { mode: "undeclared" } });
  expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("Make", "False", {
    severity: "Error",
    reason: "NotDeclared",
    message:
      "req.get(Secret) reads objects that no step declares: add reference(…, Secret, …) to reads, or Secret to owns",
  });
});

describe("the status", () => {
  /** Runs a step that writes two fields, counts its runs, and records each write of the status. */
  function recorded(cluster: TestCluster): { readonly bodies: readonly JsonObject[]; readonly runs: () => number } {
    const bodies: JsonObject[] = [];
    let runs = 0;
    const write = step(Thing, "Write", {
      do: ({ status, spec }) => {
        runs += 1;
        status.id = "same";
        status.note = spec.mode;
        return ok();
      },
    });
    const op = operator(Thing, [write]);
    cluster.run({
      ...op,
      start: (world) =>
        op.start({
          ...world,
          fetch: async (request) => {
            if (/\/things\/a\/status/u.test(request.url)) {
              bodies.push({ method: request.method, ...((await request.clone().json()) as JsonObject) });
            }
            return world.fetch(request);
          },
        }),
    });
    return { bodies, runs: () => runs };
  }

  test("is patched with the fields that changed and no others", async () => {
    await using cluster = await testCluster();
    const { bodies } = recorded(cluster);
    await create(cluster);
    await cluster.patch(Thing, "a", { spec: { mode: "other" } });
    await cluster.untilSettled(Thing, "a");
    expect(bodies.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
    const status = bodies[1]?.["status"] as JsonObject;
    expect(Object.keys(status).toSorted()).toEqual(["conditions", "note", "observedGeneration"]);
    expect(status).toMatchObject({ note: "other", observedGeneration: 2 });
  });

  test("is not sent if it is unchanged", async () => {
    await using cluster = await testCluster();
    const { bodies, runs } = recorded(cluster);
    await create(cluster);
    await cluster.patch(Thing, "a", { metadata: { annotations: { "levelset.dev/reconcile": "now" } } });
    await cluster.untilSettled(Thing, "a");
    expect([runs(), bodies.length]).toEqual([2, 1]);
  });
});
