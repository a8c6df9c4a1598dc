import { ConfigMap, findCondition, realRandom, silentLogger } from "@levelset/core";
import type { Condition, ObjectOf, StatusReason } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { inspectOperand, operandManager, planOperand } from "../index.ts";
import type { PlanWorld } from "../index.ts";
import { Operand } from "../spec/operand-kinds.ts";
import { config, ListGuard, Widget, widget } from "./unwatched.fixture.ts";

const NOTHING = { random: realRandom, logger: silentLogger, signal: new AbortController().signal };
const REFUSALS: readonly StatusReason[] = ["Forbidden", "InternalError", "MethodNotAllowed"];
/** Maximum delay between two attempts of an informer. */
const RETRY_MAX_MS = 31_000;

async function cluster(guard: ListGuard): Promise<TestCluster> {
  const made = await testCluster({ seed: 1, kinds: [Widget] });
  made.run(guard.wrap(operandManager()));
  return made;
}

function installed(operand: ObjectOf<Operand>): Condition | undefined {
  return findCondition(operand.status?.conditions, "OperandInstalled");
}

describe("an Operand with an object of a kind that cannot be listed", () => {
  test.each(REFUSALS)("(%s) reports it with the missing permission, and applies all objects", async (reason) => {
    await using at = await cluster(new ListGuard(reason));
    await at.apply(Operand, { name: "bad", spec: { steadyState: [config("x"), widget("w")] } });
    const operand = await at.untilSettled(Operand, "bad");
    expect(operand).not.toBeReady();
    expect(operand.status).toMatchObject({ counts: { total: 2, applied: 2, ready: 1 }, phase: "Failed" });
    const [failing] = operand.status?.failing ?? [];
    expect(failing).toMatchObject({ group: "example.com", kind: "Widget", name: "w", reason: "CannotWatch" });
    expect(failing?.message).toContain("cannot list widgets.example.com");
    expect(failing?.message).toContain("needs list and watch");
    expect(installed(operand)?.message).toContain("widget.example.com/w in default: cannot list widgets.example.com");
    expect(await at.get(ConfigMap, "x")).toBeDefined();
    expect((await at.get(Widget, "w"))?.spec).toEqual({ size: 1 });
  });

  test("becomes Ready once the permission is granted", async () => {
    const guard = new ListGuard("Forbidden");
    await using at = await cluster(guard);
    await at.apply(Operand, { name: "bad", spec: { steadyState: [widget("w")] } });
    expect(await at.untilSettled(Operand, "bad")).not.toBeReady();
    await at.clock.advance(120_000);
    guard.answer = undefined;
    await at.clock.advance(RETRY_MAX_MS);
    expect(await at.untilSettled(Operand, "bad")).toBeReady();
  });

  test("applies a new version of such an object, and corrects its drift within a minute", async () => {
    await using at = await cluster(new ListGuard("Forbidden"));
    await at.apply(Operand, { name: "bad", spec: { steadyState: [widget("w")] } });
    await at.untilSettled(Operand, "bad");
    await at.apply(Operand, { name: "bad", spec: { steadyState: [widget("w", 2)] } });
    await at.untilSettled(Operand, "bad");
    expect((await at.get(Widget, "w"))?.spec.size).toBe(2);
    const before = at.writes(Widget, "w");
    await at.clock.advance(300_000);
    await at.untilIdle();
    expect(at.writes(Widget, "w")).toBe(before);
    await at.patch(Widget, "w", { spec: { size: 9 } });
    await at.clock.advance(61_000);
    await at.untilIdle();
    expect((await at.get(Widget, "w"))?.spec.size).toBe(2);
  });

  test("is deleted with such an object while lists are rejected", async () => {
    await using at = await cluster(new ListGuard("Forbidden"));
    await at.apply(Operand, { name: "bad", spec: { steadyState: [config("x"), widget("w")] } });
    await at.untilSettled(Operand, "bad");
    await at.delete(Operand, "bad");
    await at.clock.advance(5_000);
    await at.untilIdle();
    expect(await at.get(Operand, "bad")).toBeUndefined();
    expect(await at.get(Widget, "w")).toBeUndefined();
  });

  test("keeps its baseline: an object that the next version drops is not pruned before that version is healthy", async () => {
    const guard = new ListGuard();
    await using at = await cluster(guard);
    await at.apply(Operand, { name: "bad", spec: { steadyState: [config("x"), config("y")] } });
    expect(await at.untilSettled(Operand, "bad")).toBeReady();
    guard.answer = "Forbidden";
    await at.apply(Operand, { name: "bad", spec: { steadyState: [config("x"), widget("w")] } });
    await at.clock.advance(120_000);
    expect(await at.untilSettled(Operand, "bad")).not.toBeReady();
    expect(await at.get(ConfigMap, "y")).toBeDefined();
    guard.answer = undefined;
    await at.clock.advance(RETRY_MAX_MS);
    expect(await at.untilSettled(Operand, "bad")).toBeReady();
    expect(await at.get(ConfigMap, "y")).toBeUndefined();
  });

  test.each([false, true])(
    "reports a permission that is revoked later (only watch: %s), without writes",
    async (only) => {
      const guard = new ListGuard();
      await using at = await cluster(guard);
      await at.apply(Operand, { name: "bad", spec: { steadyState: [widget("w")] } });
      expect(await at.untilSettled(Operand, "bad")).toBeReady();
      const before = await at.get(Widget, "w");
      guard.answer = "Forbidden";
      guard.onlyWatches = only;
      guard.cutWatches();
      await at.clock.advance(RETRY_MAX_MS);
      const operand = await at.untilSettled(Operand, "bad");
      expect(operand).not.toBeReady();
      expect(operand.status?.failing).toMatchObject([{ name: "w", reason: "CannotWatch" }]);
      expect(await at.get(Widget, "w")).toEqual(before);
      guard.answer = undefined;
      await at.clock.advance(RETRY_MAX_MS);
      expect(await at.untilSettled(Operand, "bad")).toBeReady();
      expect(await at.get(Widget, "w")).toEqual(before);
    },
  );
});

describe("for an Operand whose kind the caller may not list", () => {
  async function shown(at: TestCluster): Promise<readonly [ObjectOf<Operand>, PlanWorld]> {
    const guard = new ListGuard("Forbidden");
    let fetch = at.fetch;
    await guard.wrap({ name: "caller", start: (world) => Promise.resolve(void (fetch = world.fetch)) }).start({
      ...NOTHING,
      fetch: at.fetch,
      clock: at.clock,
    });
    const client = new Client({ fetch, fieldManager: "caller" });
    const world = { client, discovery: new Discovery(client), clock: at.clock, signal: NOTHING.signal };
    return [await client.get(Operand, { name: "a" }), world];
  }

  test("a plan reads its objects one by one, and reports the kind", async () => {
    await using at = await cluster(new ListGuard());
    await at.apply(Operand, { name: "a", spec: { steadyState: [widget("w"), config("x")] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    const [operand, world] = await shown(at);
    const plan = await planOperand(operand, world);
    expect(plan).toMatchObject({
      kind: "plan",
      items: [{ action: "none" }, { action: "none" }],
      prunes: [],
      unlisted: ["cannot list widgets.example.com: forbidden (needs list and watch)"],
    });
  });

  test("a status reads its objects one by one", async () => {
    await using at = await cluster(new ListGuard());
    await at.apply(Operand, { name: "a", spec: { steadyState: [widget("w"), config("x")] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    const [operand, world] = await shown(at);
    expect(await inspectOperand(operand, world)).toMatchObject({ items: [{ state: "applied" }, { state: "applied" }] });
  });
});

describe("six Operands with a kind that cannot be listed", () => {
  async function six(at: TestCluster): Promise<void> {
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      await at.apply(Operand, { name, spec: { steadyState: [widget(name)] } });
    }
    await at.untilIdle();
    await at.apply(Operand, { name: "good", spec: { steadyState: [config("x")] } });
  }

  test.each([...REFUSALS, "hang" as const])("(%s) do not block a healthy one", async (result) => {
    await using at = await cluster(new ListGuard(result));
    await six(at);
    // Longer than the timeout of a list, and far shorter than the deadline of a run.
    await at.clock.advance(20_000);
    expect(await at.untilSettled(Operand, "good")).toBeReady();
    expect(await at.get(Widget, "f")).toBeDefined();
    expect(await at.untilSettled(Operand, "f")).not.toBeReady();
  });

  test("share one informer: few requests, and no repeated writes", async () => {
    const guard = new ListGuard("Forbidden");
    await using at = await cluster(guard);
    await six(at);
    await at.clock.advance(60_000);
    await at.untilIdle();
    const [lists, writes] = [guard.lists, at.faults.count(isWrite)];
    await at.clock.advance(600_000);
    await at.untilIdle();
    // One attempt in 15 to 30 s, regardless of the number of Operands.
    expect(guard.lists - lists).toBeLessThanOrEqual(60);
    expect(guard.lists - lists).toBeGreaterThanOrEqual(10);
    expect(at.faults.count(isWrite) - writes).toBe(0);
  });

  test("do not stop others when the response to a write of that kind is lost", async () => {
    const guard = new ListGuard("Forbidden");
    await using at = await cluster(guard);
    guard.lost = 1;
    await six(at);
    await at.clock.advance(20_000);
    expect(await at.untilSettled(Operand, "good")).toBeReady();
  });
});
