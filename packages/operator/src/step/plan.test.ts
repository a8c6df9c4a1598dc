import { describe, expect, test } from "vitest";
import { kind, s, Secret } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { ok, plan, step } from "./index.ts";

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({ size: s.int32() }),
  status: s.object({ id: s.string().optional() }),
});
const first = step(Thing, "First", { condition: "FirstReady", do: () => ok() });

describe("a list of steps", () => {
  test("needs a finalizer only if some step cleans up", () => {
    expect(plan(Thing, [first]).finalizer).toEqual({ name: "test.levelset.dev/thing", needed: false });
    expect(plan(Thing, [first, step(Thing, "Last", { cleanup: () => ok() })]).finalizer.needed).toBe(true);
  });

  test("names its conditions in step order, and the status fields that it keeps", () => {
    const second = step(Thing, "Second", { condition: "A", keeps: ["id"], do: () => ok() });
    expect(plan(Thing, [first, second])).toMatchObject({ conditions: ["FirstReady", "A"], keeps: ["id"] });
  });

  test("is refused with a clear message when it contradicts itself", () => {
    expect(() => plan(Thing, [])).toThrow("Thing: an operator needs at least one step");
    expect(() => plan(Thing, [first, step(Thing, "First", {})])).toThrow("two steps are named First");
    expect(() => plan(Thing, [first, step(Thing, "Other", { condition: "FirstReady" })])).toThrow(
      "condition FirstReady is managed by two steps: First and Other",
    );
    expect(() => plan(Thing, [step(Thing, "A", { condition: "B" }), step(Thing, "B", {})])).toThrow(
      "condition B is managed by two",
    );
    expect(() => plan(Thing, [step(Thing, "Sum", { condition: "Ready" })])).toThrow("Ready sums up all conditions");
    expect(() => plan(Thing, [step(Thing, "two words", {})])).toThrow("one word");
    for (const rule of [{ verbs: [] }, { verbs: ["get"], resources: ["pods"] }, { verbs: ["get"] }]) {
      expect(() => plan(Thing, [step(Thing, "A", { rbac: [rule] })])).toThrow("step A: an rbac rule names verbs");
    }
  });

  test("is refused for a kind whose status has no conditions", () => {
    // A kind that did not come from kind(): only its types pretend.
    const foreign = { ...Secret, columns: [] } as unknown as AnyCustomKind;
    expect(() => plan(foreign, [step(foreign, "A", {})])).toThrow("declare the kind with kind()");
  });
});
