import { describe, expect, test } from "vitest";
import { DeclarationError, kind, s, Secret } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { kindWith, ok, planSteps, reference, step } from "../index.ts";
import type { Step } from "../index.ts";

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
    expect(planSteps(Thing, [first]).finalizer).toEqual({ name: "test.levelset.dev/thing", needed: false });
    expect(planSteps(Thing, [first, step(Thing, "Last", { cleanup: () => ok() })]).finalizer.needed).toBe(true);
  });

  test("has the conditions in step order, and the preserved status fields", () => {
    const second = step(Thing, "Second", { condition: "A", preserveStatus: ["id"], do: () => ok() });
    expect(planSteps(Thing, [first, second])).toMatchObject({
      conditions: ["FirstReady", "A"],
      preserveStatus: ["id"],
    });
  });

  const doing = { do: () => ok() };

  test.for<readonly [string, readonly Step<typeof Thing>[]]>([
    ["an operator needs at least one step", []],
    ["two steps are named First", [first, step(Thing, "First", doing)]],
    ['a step name must be one word: "two words"', [step(Thing, "two words", doing)]],
    ["step Idle has no phase: give it do, cleanup or post", [step(Thing, "Idle", { condition: "IdleReady" })]],
    [
      "step Other manages condition FirstReady, which step First manages already",
      [first, step(Thing, "Other", { ...doing, condition: "FirstReady" })],
    ],
    [
      "step B manages condition B, which step A manages already",
      [step(Thing, "A", { ...doing, condition: "B" }), step(Thing, "B", doing)],
    ],
    ["step A declares condition X twice", [step(Thing, "A", { ...doing, condition: "X", conditions: ["X"] })]],
    [
      "step B preserves status.id, which step A preserves already",
      [step(Thing, "A", { ...doing, preserveStatus: ["id"] }), step(Thing, "B", { ...doing, preserveStatus: ["id"] })],
    ],
    ["step Sum: Ready is computed from all conditions", [step(Thing, "Sum", { ...doing, condition: "Ready" })]],
    ['step A: "not so" is not a valid condition type', [step(Thing, "A", { ...doing, condition: "not so" })]],
    ["step Later uses step First, which is not in the list", [step(Thing, "Later", { ...doing, uses: [first] })]],
    [
      "step Later uses step First, which must come before it",
      [step(Thing, "Later", { ...doing, uses: [first] }), first],
    ],
    [
      "step B declares Secret of v2, and step A of v1: use one version",
      [
        step(Thing, "A", { ...doing, owns: [Secret] }),
        step(Thing, "B", { ...doing, reads: [reference(Thing, { ...Secret, version: "v2" }, () => "x")] }),
      ],
    ],
  ])("is rejected at start-up: %s", ([message, steps]) => {
    expect(() => planSteps(Thing, steps)).toThrow(message);
    expect(() => planSteps(Thing, steps)).toThrow(DeclarationError);
  });

  test("is rejected if an rbac rule is incomplete", () => {
    for (const rule of [{ verbs: [] }, { verbs: ["get"], resources: ["pods"] }, { verbs: ["get"] }]) {
      expect(() => planSteps(Thing, [step(Thing, "A", { ...doing, rbac: [rule] })])).toThrow(
        "step A: an rbac rule needs verbs",
      );
    }
  });

  test("is rejected for mistakes that only JavaScript callers can make", () => {
    const odd = { name: "A", do: "later", preserveStatus: ["size"] } as unknown as Step<typeof Thing>;
    expect(() => planSteps(Thing, [odd])).toThrow("step A: do is not a function");
    expect(() => planSteps(Thing, [{ ...odd, ...doing }])).toThrow(
      "step A preserves status.size, which Thing does not have",
    );
  });

  test("is rejected for a kind whose status lacks conditions or observedGeneration", () => {
    // Not declared with kind(); only the cast makes it compile.
    const foreign = { ...Secret, columns: [] } as unknown as AnyCustomKind;
    expect(() => planSteps(foreign, [step(foreign, "A", doing)])).toThrow("Secret: its status has no conditions");
    const { observedGeneration: _none, ...properties } = Thing.schema.properties?.["status"]?.properties ?? {};
    const forgetful = { ...Thing, schema: { type: "object", properties: { status: { type: "object", properties } } } };
    expect(() => planSteps(forgetful as typeof Thing, [first])).toThrow("Thing: its status has no observedGeneration");
    expect(() => planSteps({ ...Thing, hasStatus: false }, [first])).toThrow("its status is not a subresource");
  });

  test("that protects a child kind needs a finalizer, and owns that kind", () => {
    const protecting = planSteps(Thing, [step(Thing, "Keep", { protects: [Secret] })]);
    expect([protecting.finalizer.needed, protecting.owns]).toEqual([true, [Secret]]);
  });
});

describe("a step by structural type", () => {
  const Other = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Other",
    spec: s.object({ size: s.int32(), color: s.string() }),
    status: s.object({ id: s.string().optional() }),
  });
  const Sizeless = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Sizeless",
    spec: s.object({}),
    status: s.object({ id: s.string().optional() }),
  });
  const Idless = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Idless",
    spec: s.object({ size: s.int32() }),
    status: s.object({}),
  });
  const named = step(kindWith<{ size: number }, { id?: string }>(), "Named", {
    preserveStatus: ["id"],
    do: ({ spec, status }) => {
      status.id = `size ${spec.size}`;
      return ok(spec.size);
    },
  });

  test("serves every kind that has the fields", () => {
    expect(planSteps(Thing, [named]).preserveStatus).toEqual(["id"]);
    expect(
      planSteps(Other, [named, step(Other, "Use", { uses: [named], do: (req) => ok(req.from(named) + 1) })]).steps,
    ).toHaveLength(2);
  });

  test("does not compile for a kind that lacks one", () => {
    // @ts-expect-error spec.size is missing
    expect(planSteps(Sizeless, [named]).steps).toHaveLength(1);
    // @ts-expect-error status.id is missing
    expect(() => planSteps(Idless, [named])).toThrow("preserves status.id, which Idless does not have");
  });

  test("that reads an undeclared output does not compile", () => {
    // @ts-expect-error uses is missing
    expect(step(Thing, "Use", { do: (req) => ok(req.from(named)) }).name).toBe("Use");
    // @ts-expect-error do has not run when cleanup does
    expect(step(Thing, "Undo", { uses: [named], cleanup: (req) => ok(req.from(named)) }).name).toBe("Undo");
  });
});
