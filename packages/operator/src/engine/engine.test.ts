import type { Condition, ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { fail, ok, requeueAfter, step, terminal, wait } from "./index.ts";
import { create, noop, recorder, Thing } from "./thing.fixture.ts";

describe("do", () => {
  test("runs steps in order and stops at the first that is not ok; the conditions of later ones report that they wait", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(operator(Thing, [step("A"), step("B", { do: () => wait("missing input") }), step("C")]));
    const object = await create(cluster);
    expect(calls).toEqual(["A.do", "B.do"]);
    expect(object).toHaveCondition("AReady", "True", { reason: "Ready" });
    expect(object).toHaveCondition("BReady", "False", {
      severity: "Info",
      reason: "Requested",
      message: "missing input",
    });
    expect(object).toHaveCondition("CReady", "Unknown", { reason: "NotReached" });
    expect(object).toHaveCondition("Ready", "False", { severity: "Info", message: "missing input" });
  });

  test("passes typed outputs to later steps, and rejects steps in the wrong order", async () => {
    await using cluster = await testCluster();
    const numbers = step(Thing, "Numbers", { do: () => ok({ sum: 5 }) });
    const use = step(Thing, "Use", {
      uses: [numbers],
      do: (req) => {
        req.status.note = `sum ${req.from(numbers).sum + 1}`;
        return ok();
      },
    });
    cluster.run(operator(Thing, [numbers, use]));
    expect((await create(cluster)).status?.note).toBe("sum 6");
    expect(() => operator(Thing, [use, numbers])).toThrow(
      "Thing: step Use uses step Numbers, which must come before it",
    );
  });

  test("a thrown error fails that object alone, is retried with backoff, and never becomes Ready", async () => {
    await using cluster = await testCluster();
    const times: number[] = [];
    const broken = step(Thing, "Broken", {
      do: ({ name }) => {
        if (name !== "a") return ok();
        times.push(cluster.clock.now());
        throw new Error("no route to host");
      },
    });
    cluster.run(operator(Thing, [broken]));
    await cluster.apply(Thing, { name: "other", spec: {} });
    const object = await create(cluster);
    expect(object).toHaveCondition("Broken", "False", {
      severity: "Warning",
      reason: "Error",
      message: "no route to host",
    });
    expect(object).toHaveCondition("Ready", "False", { message: "no route to host" });
    expect(await cluster.untilSettled(Thing, "other")).toBeReady();
    await cluster.clock.advance(10_000);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(4);
    expect(gaps.every((gap, index) => index === 0 || gap > (gaps[index - 1] ?? 0))).toBe(true);
  });

  test("a terminal error is not retried until the spec changes", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(
      operator(Thing, [step("A", { do: ({ spec }) => (spec.mode === "bad" ? terminal("bad mode") : ok()) })]),
    );
    expect(await create(cluster, "bad")).toHaveCondition("Ready", "False", { severity: "Error" });
    await cluster.clock.advance(3_600_000);
    expect(calls).toEqual(["A.do"]);
    await cluster.patch(Thing, "a", { spec: { mode: "good" } });
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
  });

  test("requeueAfter runs once more after its delay; an earlier event does not cause a second run", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(
      operator(Thing, [
        step("A", { do: ({ spec }) => (spec.mode === "slow" ? requeueAfter("working", 3_000) : ok()) }),
      ]),
    );
    await create(cluster, "slow");
    await cluster.clock.advance(2_999);
    expect(calls).toHaveLength(1);
    await cluster.clock.advance(1);
    expect(calls).toHaveLength(2);
    await cluster.patch(Thing, "a", { spec: { mode: "done" } });
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
    await cluster.clock.advance(60_000);
    expect(calls).toHaveLength(3);
  });

  test("wait sets no timer", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(operator(Thing, [step("A", { do: () => wait("not yet") })]));
    await create(cluster);
    await cluster.clock.advance(30_000);
    expect(calls).toHaveLength(1);
  });

  test("spec is frozen: a step that changes it fails at once and writes nothing to the server", async () => {
    await using cluster = await testCluster();
    const mutate = step(Thing, "Mutate", {
      do: ({ spec }) => {
        Object.assign(spec, { mode: "changed" });
        return ok();
      },
    });
    cluster.run(operator(Thing, [mutate]));
    const object = await create(cluster);
    expect(object).toHaveCondition("Mutate", "False", { reason: "Error" });
    expect(object.spec.mode).toBe("fine");
    expect(object.metadata.generation).toBe(1);
    expect(cluster.logs.some(({ message }) => message === "step failed with a programming error")).toBe(true);
  });

  test("labels and annotations are saved in one metadata write, besides one status write", async () => {
    await using cluster = await testCluster();
    const tag = step(Thing, "Tag", {
      do: ({ metadata, status }) => {
        metadata.labels["tier"] = "gold";
        metadata.annotations["note"] = "x";
        status.note = "tagged";
        return ok();
      },
    });
    cluster.run(operator(Thing, [tag]));
    const object = await create(cluster);
    expect(object.metadata).toMatchObject({ labels: { tier: "gold" }, annotations: { note: "x" } });
    expect(cluster.writes(Thing, "a")).toBe(2);
  });
});

describe("status", () => {
  test("starts empty in each run, except for preserved fields", async () => {
    await using cluster = await testCluster();
    const once = step(Thing, "Once", {
      preserveStatus: ["id"],
      do: ({ spec, status }) => {
        status.id ??= "first";
        if (spec.mode === "fine") status.note = "only then";
        return ok();
      },
    });
    cluster.run(operator(Thing, [once]));
    expect((await create(cluster)).status).toMatchObject({ id: "first", note: "only then" });
    await cluster.patch(Thing, "a", { spec: { mode: "other" } });
    const { status } = await cluster.untilSettled(Thing, "a");
    expect(status?.id).toBe("first");
    expect(status).not.toHaveProperty("note");
  });

  test("that another client changed is corrected", async () => {
    await using cluster = await testCluster();
    const { step } = recorder();
    cluster.run(operator(Thing, [step("A")]));
    await create(cluster);
    await cluster.patchStatus(Thing, "a", { conditions: [], note: "forged" });
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toBeReady();
    expect(object.status).not.toHaveProperty("note");
  });

  test("keeps transition times however often the object is reconciled", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(operator(Thing, [step("A")]));
    const times = (object: ObjectOf<Thing>): unknown => object.status?.conditions?.map((one) => one.lastTransitionTime);
    const before = times(await create(cluster));
    for (let i = 1; i <= 10; i++) {
      await cluster.clock.advance(1_100);
      await cluster.patch(Thing, "a", { spec: { mode: `m${i}` } });
    }
    expect(times(await cluster.untilSettled(Thing, "a"))).toEqual(before);
    expect(calls).toHaveLength(11);
  });

  test("drops a removed or renamed condition", async () => {
    await using cluster = await testCluster();
    const { step } = recorder();
    const running = cluster.run(operator(Thing, [step("Old")]));
    await create(cluster);
    await running.stop();
    cluster.run(operator(Thing, [step("New")]));
    const object = await cluster.untilSettled(Thing, "a");
    expect(object.status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "NewReady"]);
  });
});

describe("post", () => {
  test("runs for every step even after failures, and its own failure is reported", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    const steps = [
      step("A", { post: () => fail("disk full") }),
      step("B", { do: () => fail("broken"), post: noop }),
      step("C", { post: noop }),
    ];
    cluster.run(operator(Thing, steps));
    const object = await create(cluster);
    expect(calls.slice(0, 5)).toEqual(["A.do", "B.do", "A.post", "B.post", "C.post"]);
    expect(object).toHaveCondition("AReady", "False", { message: "disk full" });
    expect(object).toHaveCondition("BReady", "False", { message: "broken" });
  });

  test("that fails after all steps succeeded prevents Ready", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [step(Thing, "A", { do: noop, post: () => fail("flush failed") })]));
    expect(await create(cluster)).toHaveCondition("Ready", "False", { message: "flush failed" });
  });
});

test("deriveStatus computes status fields from the conditions of the same write", async () => {
  await using cluster = await testCluster();
  const deriveStatus = (conditions: readonly Condition[]): { readonly note: string } => ({
    note: conditions.map(({ type, status }) => `${type}=${status}`).join(" "),
  });
  const { step } = recorder();
  cluster.run(
    operator(Thing, [step("A", { do: ({ spec }) => (spec.mode === "fine" ? ok() : wait("mode")) })], { deriveStatus }),
  );
  expect((await create(cluster)).status?.note).toBe("Ready=True AReady=True");
  await cluster.patch(Thing, "a", { spec: { mode: "other" } });
  expect((await cluster.untilSettled(Thing, "a")).status?.note).toBe("Ready=False AReady=False");
});
