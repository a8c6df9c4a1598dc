import { findCondition, kind, s } from "@levelset/core";
import type { Fetch, World } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { fail, ok, step } from "./index.ts";
import { create, Thing } from "./thing.fixture.ts";

/** An operator whose step writes a value to `status.note`, unless the mode is `fine`. */
function writing(value: unknown): ReturnType<typeof operator<Thing>> {
  return operator(Thing, [
    step(Thing, "Write", {
      do: ({ status, spec }) => {
        // JavaScript callers can write values that the compiler would reject.
        status.note = spec.mode === "fine" ? "fine" : (value as string);
        return ok();
      },
    }),
  ]);
}

/** Lets some retries pass, and returns the number of write requests meanwhile. */
async function writesOfRetries(cluster: TestCluster): Promise<number> {
  const before = cluster.writes(Thing, "a");
  await cluster.clock.advance(120_000);
  await cluster.untilIdle();
  return cluster.writes(Thing, "a") - before;
}

describe("a status that cannot be stored", () => {
  const circle: unknown[] = [];
  circle.push(circle);

  test.for<readonly [string, unknown, string]>([
    ["a function", () => {}, "the status cannot be written: status.note is a function: JSON cannot express this"],
    ["NaN", Number.NaN, "the status cannot be written: status.note is NaN: JSON cannot express this"],
    ["a Map", new Map(), "the status cannot be written: status.note is a Map: JSON cannot express this"],
    ["a cycle", circle, "status.note[0] refers to an object that contains it"],
    ["more than the server accepts", "x".repeat(4 * 1024 * 1024), "the status is too large, shorten its fields: "],
  ])("because of %s is reported, and the conditions are still written", async ([, value, message]) => {
    await using cluster = await testCluster();
    cluster.run(writing(value));
    expect(await create(cluster)).toBeReady();
    await cluster.patch(Thing, "a", { spec: { mode: "odd" } });
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toHaveCondition("Ready", "False", { severity: "Warning" });
    expect(findCondition(object.status?.conditions, "Status")?.message).toContain(message);
    expect(object.status).toMatchObject({ observedGeneration: 2, note: "fine" });
    const versions = cluster.history(Thing, "a").length;
    await cluster.clock.advance(120_000);
    expect(cluster.history(Thing, "a")).toHaveLength(versions);
    await cluster.patch(Thing, "a", { spec: { mode: "fine" } });
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
  });

  test("because etcd refuses its size is reported the same way", async () => {
    await using cluster = await testCluster();
    const own = writing("x".repeat(100_000));
    cluster.run({ ...own, start: (world: World) => own.start({ ...world, fetch: limited(world.fetch) }) });
    await create(cluster, "odd");
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toHaveCondition("Status", "False", {
      message: "the status is too large, shorten its fields: etcdserver: request is too large",
    });
    expect(object.status?.note).toBeUndefined();
  });
});

/** A server whose store accepts objects of up to 50 kB. The message and code are those of kube-apiserver. */
function limited(fetch: Fetch): Fetch {
  return async (request) => {
    const isLarge = request.method === "PATCH" && (await request.clone().text()).length > 50_000;
    if (!isLarge) return fetch(request);
    const message = "etcdserver: request is too large";
    return Response.json({ kind: "Status", apiVersion: "v1", status: "Failure", message, code: 500 }, { status: 500 });
  };
}

describe("undeclared status fields", () => {
  test("are named in the conditions, the rest is written, and a settled object costs no writes", async () => {
    await using cluster = await testCluster();
    const stray = step(Thing, "Stray", {
      do: (req) => {
        req.status.note = "kept";
        if (req.spec.mode !== "fine") Object.assign(req.status, { extra: { deep: 1 } });
        return ok();
      },
    });
    cluster.run(operator(Thing, [stray]));
    const object = await create(cluster, "odd");
    const message = "the status of Thing does not declare status.extra, so the server drops it: declare it in the kind";
    expect(object).toHaveCondition("Status", "False", { severity: "Warning", reason: "Error", message });
    expect(object).toHaveCondition("Ready", "False", { message });
    expect(object.status?.note).toBe("kept");
    expect(await writesOfRetries(cluster)).toBe(0);
    await cluster.patch(Thing, "a", { spec: { mode: "fine" } });
    const fixed = await cluster.untilSettled(Thing, "a");
    expect(fixed).toBeReady();
    expect(findCondition(fixed.status?.conditions, "Status")).toBeUndefined();
  });

  test("that are derived from the conditions are named too", async () => {
    await using cluster = await testCluster();
    const deriveStatus = (): { readonly note: string } => Object.assign({ note: "derived" }, { extra: 1 });
    cluster.run(operator(Thing, [step(Thing, "Fine", { do: () => ok() })], { deriveStatus }));
    const object = await create(cluster);
    expect(object).toHaveCondition("Status", "False");
    expect(object.status?.note).toBe("derived");
    expect(await writesOfRetries(cluster)).toBe(0);
  });

  test("are allowed where the kind preserves unknown fields", async () => {
    const Free = kind({
      group: "test.levelset.dev",
      version: "v1",
      kind: "Free",
      spec: s.object({}),
      status: s.object({ any: s.any().optional() }),
    });
    await using cluster = await testCluster();
    const free = step(Free, "Free", {
      do: ({ status }) => {
        status.any = { deep: [{ x: 1 }] };
        return ok();
      },
    });
    cluster.run(operator(Free, [free]));
    await cluster.apply(Free, { name: "a", spec: {} });
    expect(await cluster.untilSettled(Free, "a")).toBeReady();
  });
});

test("a condition with an overlong message is stored with a note of what is missing", async () => {
  await using cluster = await testCluster();
  cluster.run(operator(Thing, [step(Thing, "Loud", { do: () => fail("😀".repeat(40_000)) })]));
  const { status } = await create(cluster);
  const { message = "" } = findCondition(status?.conditions, "Loud") ?? {};
  expect(message).toMatch(/^(?:😀)+… \(7,272 more characters\)$/u);
  expect(findCondition(status?.conditions, "Ready")?.message).toBe(message);
  expect(await writesOfRetries(cluster)).toBe(0);
});
