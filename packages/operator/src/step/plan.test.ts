import { describe, expect, test } from "vitest";
import { DeclarationError, kind, s, Secret } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { kindWith, ok, plan, reference, step } from "./index.ts";
import type { Step } from "./index.ts";

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

  const doing = { do: () => ok() };

  test.for<readonly [string, readonly Step<typeof Thing>[]]>([
    ["an operator needs at least one step", []],
    ["two steps are named First", [first, step(Thing, "First", doing)]],
    ['a step\'s name is one word: "two words"', [step(Thing, "two words", doing)]],
    ["step Idle does nothing: give it do, cleanup or post", [step(Thing, "Idle", { condition: "IdleReady" })]],
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
      "step B keeps status.id, which step A keeps already",
      [step(Thing, "A", { ...doing, keeps: ["id"] }), step(Thing, "B", { ...doing, keeps: ["id"] })],
    ],
    ["step Sum: Ready sums up all conditions", [step(Thing, "Sum", { ...doing, condition: "Ready" })]],
    ['step A: "not so" cannot be the type of a condition', [step(Thing, "A", { ...doing, condition: "not so" })]],
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
  ])("is refused at start-up: %s", ([message, steps]) => {
    expect(() => plan(Thing, steps)).toThrow(message);
    expect(() => plan(Thing, steps)).toThrow(DeclarationError);
  });

  test("is refused when a rule about rights says too little", () => {
    for (const rule of [{ verbs: [] }, { verbs: ["get"], resources: ["pods"] }, { verbs: ["get"] }]) {
      expect(() => plan(Thing, [step(Thing, "A", { ...doing, rbac: [rule] })])).toThrow(
        "step A: an rbac rule names verbs",
      );
    }
  });

  test("is refused for what only those can write who do not compile it", () => {
    const odd = { name: "A", do: "later", keeps: ["size"] } as unknown as Step<typeof Thing>;
    expect(() => plan(Thing, [odd])).toThrow("step A: do is no function");
    expect(() => plan(Thing, [{ ...odd, ...doing }])).toThrow("step A keeps status.size, which Thing does not have");
  });

  test("is refused for a kind whose status cannot say how far it is", () => {
    // A kind that did not come from kind(): only its types pretend.
    const foreign = { ...Secret, columns: [] } as unknown as AnyCustomKind;
    expect(() => plan(foreign, [step(foreign, "A", doing)])).toThrow("Secret: its status has no conditions");
    const { observedGeneration: _none, ...properties } = Thing.schema.properties?.["status"]?.properties ?? {};
    const forgetful = { ...Thing, schema: { type: "object", properties: { status: { type: "object", properties } } } };
    expect(() => plan(forgetful as typeof Thing, [first])).toThrow("Thing: its status has no observedGeneration");
    expect(() => plan({ ...Thing, hasStatus: false }, [first])).toThrow("its status is no subresource");
  });

  test("that protects a child needs a finalizer, and owns what it protects", () => {
    const protecting = plan(Thing, [step(Thing, "Keep", { protects: [Secret] })]);
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
    keeps: ["id"],
    do: ({ spec, status }) => {
      status.id = `size ${spec.size}`;
      return ok(spec.size);
    },
  });

  test("serves every kind that has the fields", () => {
    expect(plan(Thing, [named]).keeps).toEqual(["id"]);
    expect(
      plan(Other, [named, step(Other, "Use", { uses: [named], do: (req) => ok(req.from(named) + 1) })]).steps,
    ).toHaveLength(2);
  });

  test("does not compile for a kind that lacks one", () => {
    // @ts-expect-error spec.size is missing
    expect(plan(Sizeless, [named]).steps).toHaveLength(1);
    // @ts-expect-error status.id is missing
    expect(() => plan(Idless, [named])).toThrow("keeps status.id, which Idless does not have");
  });

  test("and one that reads an undeclared hand-over does not compile either", () => {
    // @ts-expect-error uses is missing
    expect(step(Thing, "Use", { do: (req) => ok(req.from(named)) }).name).toBe("Use");
    // @ts-expect-error do has not run when cleanup does
    expect(step(Thing, "Undo", { uses: [named], cleanup: (req) => ok(req.from(named)) }).name).toBe("Undo");
  });
});
