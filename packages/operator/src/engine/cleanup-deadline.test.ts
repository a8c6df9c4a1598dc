import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { DeclarationError, ConfigMap, Event } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { child } from "../steps/index.ts";
import { cleanupDeadline } from "./cleanup-deadline.ts";
import { isCleanupForced } from "./forced-cleanup.ts";
import { fail, terminal, wait } from "./index.ts";
import type { Step } from "./index.ts";
import { create, noop, recorder, Thing } from "./thing.fixture.ts";

const FORCE = "levelset.dev/force-cleanup";
const HINT = `to delete the object without this cleanup, set its annotation ${FORCE} to A`;

async function force(cluster: TestCluster, steps: string): Promise<void> {
  await cluster.patch(Thing, "a", { metadata: { annotations: { [FORCE]: steps } } });
  await cluster.untilIdle();
}

async function warnings(cluster: TestCluster): Promise<readonly string[]> {
  await cluster.clock.advance(10_000);
  await cluster.untilIdle();
  const events = await cluster.list(Event, "default");
  return events.filter(({ reason }) => reason === "CleanupSkipped").map(({ message = "" }) => message);
}

/** Deletes an object whose step A is never cleaned up. */
async function stuck(cluster: TestCluster, ...steps: readonly Step<Thing>[]): Promise<ObjectOf<Thing>> {
  cluster.run(operator(Thing, steps));
  await create(cluster);
  await cluster.delete(Thing, "a");
  return cluster.untilSettled(Thing, "a");
}

describe("a cleanup with a deadline", () => {
  const results = {
    wait: wait("bucket not empty"),
    fail: fail("bucket not empty"),
    terminal: terminal("bucket not empty"),
  };

  test.each(Object.entries(results))(
    "that ends with %s is reported as timed out, and blocks the deletion",
    async (_, result) => {
      await using cluster = await testCluster();
      const { step } = recorder();
      const before = await stuck(cluster, step("A", { cleanup: () => result, deadlineMs: 600_000 }));
      expect(before).toHaveCondition("AReady", "False", { message: "bucket not empty" });
      await cluster.clock.advance(599_000);
      expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("AReady", "False", {
        message: "bucket not empty",
      });
      await cluster.clock.advance(300_000);
      const after = await cluster.untilSettled(Thing, "a");
      const message = `bucket not empty; not cleaned up within 600 s of the deletion: ${HINT}`;
      expect(after).toHaveCondition("AReady", "False", { severity: "Error", reason: "CleanupTimedOut", message });
      expect(after).toHaveCondition("Ready", "False", { reason: "Deleting", message: `AReady: ${message}` });
      const writes = cluster.faults.count(isWrite);
      await cluster.clock.advance(3_600_000);
      await cluster.untilIdle();
      expect(cluster.faults.count(isWrite)).toBe(writes);
    },
  );

  test("is counted from the deletion, also after a restart, and ends when the cleanup succeeds", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(
      operator(Thing, [recorder().step("A", { cleanup: () => wait("held"), deadlineMs: 60_000 })]),
    );
    await create(cluster);
    await cluster.delete(Thing, "a");
    await first.stop();
    await cluster.clock.advance(61_000);
    let result: ReturnType<typeof wait> | ReturnType<typeof noop> = wait("held");
    cluster.run(operator(Thing, [recorder().step("A", { cleanup: () => result, deadlineMs: 60_000 })]));
    expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("AReady", "False", { reason: "CleanupTimedOut" });
    result = noop();
    await cluster.patch(Thing, "a", { metadata: { labels: { touched: "true" } } });
    await cluster.untilDeleted(Thing, "a");
  });

  test("leaves at any time what is left of it, or has passed it", () => {
    const start = Date.parse("2026-01-01T00:00:00Z");
    const metadata = { name: "a", uid: "1", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
    const deleted = {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 2e9 }), (deadlineMs, passed) => {
        const state = cleanupDeadline({ name: "A", deadlineMs }, deleted, start + passed);
        expect(state).toEqual(
          passed < deadlineMs ? { kind: "ahead", leftMs: deadlineMs - passed } : { kind: "exceeded" },
        );
        expect(cleanupDeadline({ name: "A" }, deleted, start + passed)).toEqual({ kind: "none" });
        expect(cleanupDeadline({ name: "A", deadlineMs }, { ...deleted, metadata }, start)).toEqual({ kind: "none" });
      }),
    );
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("is rejected at start-up if it is %d", (deadlineMs) => {
    const { step } = recorder();
    expect(() => operator(Thing, [step("A", { cleanup: noop, deadlineMs })])).toThrow(
      `Thing: step A: deadlineMs must be a number of milliseconds above 0, not ${deadlineMs}`,
    );
  });

  test("is rejected at start-up without a cleanup", () => {
    expect(() => operator(Thing, [recorder().step("A", { deadlineMs: 1 })])).toThrow(DeclarationError);
  });
});

describe("the annotation that forces a cleanup", () => {
  test("skips the cleanups that it names and no other, with a Warning", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    const held = { cleanup: () => wait("held") };
    const steps = [step("A", held), step("AB", { cleanup: noop }), step("B", held)];
    expect(await stuck(cluster, ...steps)).toHaveCondition("BReady", "False", { message: "held" });
    for (const wrong of ["true", "*", "b", "A", "AB,A", "BReady"]) {
      await force(cluster, wrong);
      expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("BReady", "False", { message: "held" });
    }
    calls.length = 0;
    await force(cluster, "B");
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toHaveCondition("BReady", "False", { reason: "Deleted", message: "BReady cleanup skipped" });
    expect(object).toHaveCondition("ABReady", "False", { reason: "Deleted", message: "ABReady cleaned up" });
    expect(object).toHaveCondition("AReady", "False", { message: "held" });
    expect(calls).toEqual(["AB.cleanup", "A.cleanup"]);
    await force(cluster, " B , A ");
    await cluster.untilDeleted(Thing, "a");
    const message = (name: string): string =>
      `cleanup of step ${name} is skipped at the request of the annotation ${FORCE}: what it manages may be left behind`;
    expect(await warnings(cluster)).toEqual(expect.arrayContaining([message("A"), message("B")]));
    expect(cluster.logs).toContainEqual(expect.objectContaining({ message: "cleanup skipped by annotation" }));
  });

  test("has no effect before the deletion", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    cluster.run(operator(Thing, [step("A", { cleanup: noop })]));
    await cluster.apply(Thing, { name: "a", annotations: { [FORCE]: "A" }, spec: {} });
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
    expect(calls).toEqual(["A.do"]);
  });

  test("releases the protected children of the step", async () => {
    await using cluster = await testCluster();
    const settings = child(Thing, "Settings", {
      kind: ConfigMap,
      protect: true,
      owned: false,
      desired: () => ({ metadata: { name: "c", finalizers: ["other.dev/hold"] } }),
    });
    cluster.run(operator(Thing, [settings]));
    await create(cluster);
    await cluster.delete(Thing, "a");
    expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("Ready", "False", { reason: "Deleting" });
    await force(cluster, "Settings");
    await cluster.untilDeleted(Thing, "a");
    expect((await cluster.untilSettled(ConfigMap, "c")).metadata.finalizers).toEqual(["other.dev/hold"]);
  });

  test("names steps exactly", () => {
    const name = fc.stringMatching(/^[A-Za-z]\w{0,3}$/u);
    const metadata = { name: "a", uid: "1", resourceVersion: "1", creationTimestamp: "" };
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), name, (names, step) => {
        const object = {
          apiVersion: "v1",
          kind: "Thing",
          metadata: { ...metadata, annotations: { [FORCE]: names.join(", ") } },
        };
        expect(isCleanupForced(object, { name: step, cleanup: noop })).toBe(names.includes(step));
        expect(isCleanupForced(object, { name: step })).toBe(false);
      }),
    );
  });
});
