import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyJsonPatch, PatchError } from "../patch/index.ts";
import type { JsonObject } from "../json/index.ts";
import {
  addFinalizerPatch,
  compareResourceVersions,
  controllerOf,
  controllerReference,
  ELSEWHERE_ANNOTATION,
  finalizerName,
  formatApiVersion,
  formatKey,
  describeGeneration,
  generationState,
  hasFinalizer,
  isDeleting,
  isElsewhere,
  isOwnedBy,
  keyOf,
  managerOf,
  managerUid,
  markedOwner,
  ownerMark,
  parseApiVersion,
  parseKey,
  removeFinalizerPatch,
  withOwner,
} from "./index.ts";
import type { KubeObject, ObjectMeta } from "./index.ts";

function object(meta: Partial<ObjectMeta> = {}): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid: "u1", resourceVersion: "7", ...meta } };
}

/** An interface lacks the index signature that a JsonObject has; the data is the same. */
const json = (value: KubeObject): JsonObject => value as unknown as JsonObject;

describe("keys", () => {
  test("survive formatting and parsing, with and without a namespace", () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/u);
    fc.assert(
      fc.property(fc.option(name, { nil: undefined }), name, (namespace, own) => {
        const key = namespace === undefined ? { name: own } : { namespace, name: own };
        expect(parseKey(formatKey(key))).toEqual(key);
        expect(keyOf(object(key))).toEqual(key);
      }),
    );
  });

  test("of API groups survive too; the core group is empty", () => {
    expect(parseApiVersion("v1")).toEqual({ group: "", version: "v1" });
    expect(formatApiVersion("apps", "v1")).toBe("apps/v1");
    expect(parseApiVersion("apps/v1")).toEqual({ group: "apps", version: "v1" });
  });
});

test("resourceVersions are ordered as numbers of any size", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }), (a, b) => {
      const sign = Math.sign(compareResourceVersions(a.toString(), b.toString()));
      expect(sign).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

describe("finalizers", () => {
  const others = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/u), { maxLength: 4 });

  test("are added at the end and removed again without touching another's", () => {
    fc.assert(
      fc.property(others, (finalizers) => {
        const before = object({ finalizers });
        const added = applyJsonPatch(json(before), addFinalizerPatch(before, "mine.dev/x")) as unknown as KubeObject;
        expect(added.metadata.finalizers).toEqual([...finalizers, "mine.dev/x"]);
        const removed = applyJsonPatch(json(added), removeFinalizerPatch(added, "mine.dev/x")) as unknown as KubeObject;
        expect(removed.metadata.finalizers ?? []).toEqual(finalizers);
      }),
    );
  });

  test("are left alone when the list changed since it was read", () => {
    const read = object({ finalizers: ["a/a", "mine.dev/x"] });
    const shifted = object({ finalizers: ["mine.dev/x"], resourceVersion: "8" });
    expect(() => applyJsonPatch(json(shifted), removeFinalizerPatch(read, "mine.dev/x"))).toThrow(PatchError);
    const bare = object();
    const taken = object({ finalizers: ["a/a"], resourceVersion: "8" });
    expect(() => applyJsonPatch(json(taken), addFinalizerPatch(bare, "mine.dev/x"))).toThrow(PatchError);
  });

  test("are added once, also if the patch arrives twice, and removed however often they are there", () => {
    fc.assert(
      fc.property(others, (finalizers) => {
        const before = object({ finalizers });
        const patch = addFinalizerPatch(before, "mine.dev/x");
        const added = applyJsonPatch(json(before), patch) as unknown as KubeObject;
        const stored = { ...added, metadata: { ...added.metadata, resourceVersion: "8" } };
        expect(() => applyJsonPatch(json(stored), patch)).toThrow(PatchError);
        const twice = object({ finalizers: ["mine.dev/x", ...finalizers, "mine.dev/x"] });
        const removed = applyJsonPatch(json(twice), removeFinalizerPatch(twice, "mine.dev/x")) as unknown as KubeObject;
        expect(removed.metadata.finalizers ?? []).toEqual(finalizers);
      }),
    );
  });

  test("are never put on another incarnation of the object", () => {
    const again = object({ uid: "u2", finalizers: ["a/a"] });
    expect(() => applyJsonPatch(json(again), addFinalizerPatch(object({ finalizers: ["a/a"] }), "mine.dev/x"))).toThrow(
      PatchError,
    );
  });

  test("need no patch when they are already as wanted", () => {
    const carries = object({ finalizers: ["mine.dev/x"] });
    expect(hasFinalizer(carries, "mine.dev/x")).toBe(true);
    expect(addFinalizerPatch(carries, "mine.dev/x")).toEqual([]);
    expect(removeFinalizerPatch(object(), "mine.dev/x")).toEqual([]);
  });

  test("are named after group and kind", () => {
    expect(finalizerName({ group: "examples.levelset.dev", kind: "RWExternal" })).toBe(
      "examples.levelset.dev/rwexternal",
    );
  });
});

describe("owners", () => {
  const owner = object({ uid: "o" });

  test("are found by uid, so a namesake that came later is no owner", () => {
    const child = object({ ownerReferences: [controllerReference(owner)] });
    expect(isOwnedBy(child, owner)).toBe(true);
    expect(isOwnedBy(child, object({ uid: "o2" }))).toBe(false);
    expect(isOwnedBy(object(), owner)).toBe(false);
    expect(controllerOf(child)?.uid).toBe("o");
    expect(controllerOf(object())).toBeUndefined();
  });

  test("are found among several, and hold their deletion in the foreground until a child is gone", () => {
    const reference = controllerReference(owner);
    const child = object({ ownerReferences: [{ ...reference, uid: "p", controller: false }, reference] });
    expect(isOwnedBy(child, owner)).toBe(true);
    expect(reference).toEqual({
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      name: "a",
      uid: "o",
      controller: true,
      blockOwnerDeletion: true,
    });
  });

  test("are replaced in place or appended, and others stay", () => {
    const other = { ...controllerReference(object({ uid: "p" })), controller: false };
    const list = withOwner([other], controllerReference(owner));
    expect(list.map(({ uid }) => uid)).toEqual(["p", "o"]);
    expect(withOwner(list, { ...controllerReference(owner), name: "renamed" }).map(({ name }) => name)).toEqual([
      "a",
      "renamed",
    ]);
    expect(withOwner(undefined, controllerReference(owner))).toHaveLength(1);
  });
});

describe("owner marks", () => {
  const owner = { ...object({ uid: "o", namespace: "home" }), apiVersion: "x.dev/v1" };
  const marked = ownerMark(owner);

  test("say whose an object is where no reference can", () => {
    const child = object(marked);
    expect(markedOwner(child)).toEqual({ group: "x.dev", kind: "Thing", namespace: "home", name: "a", uid: "o" });
    expect(managerUid(child)).toBe("o");
    expect(managerUid(object({ ...marked, ownerReferences: [controllerReference(object({ uid: "p" }))] }))).toBe("p");
    const controller = { ...controllerReference(owner), name: "b", uid: "p" };
    expect(managerOf(child)).toMatchObject({ group: "x.dev", kind: "Thing", name: "a", uid: "o" });
    expect(managerOf(object({ ...marked, ownerReferences: [controller] }))).toEqual({
      group: "x.dev",
      kind: "Thing",
      name: "b",
      uid: "p",
    });
    expect(managerOf(object())).toBeUndefined();
  });

  test("tell of an owner that lives in no namespace, and of one of the core group", () => {
    const cluster = { ...object({ uid: "o" }), apiVersion: "v1", kind: "Node" };
    expect(markedOwner(object(ownerMark(cluster)))).toEqual({ group: "", kind: "Node", name: "a", uid: "o" });
  });

  test.each([
    [{ labels: {} }],
    [{ annotations: {} }],
    [{ annotations: { "levelset.dev/owner": "Thing" } }],
    [{ annotations: { "levelset.dev/owner": "Thing.x.dev" } }],
    [{ annotations: { "levelset.dev/owner": "Thing.x.dev/" } }],
    [{ annotations: { "levelset.dev/owner": ".x.dev/a" } }],
    [{}],
  ])("that cannot be read say nothing (%#)", (broken) => {
    const child = object(Object.keys(broken).length === 0 ? {} : { ...marked, ...broken });
    expect(markedOwner(child)).toBeUndefined();
    expect(managerUid(child)).toBeUndefined();
  });

  test("are all that children have of an object that says it lives elsewhere", () => {
    const saying = (text: string): boolean => isElsewhere(object({ annotations: { [ELSEWHERE_ANNOTATION]: text } }));
    expect([saying("true"), saying("false"), saying(""), isElsewhere(object())]).toEqual([true, false, false, false]);
  });
});

describe("the generation of a status", () => {
  const observed = (generation: number, observedGeneration?: number): Parameters<typeof generationState>[0] => ({
    ...object({ generation }),
    ...(observedGeneration === undefined ? {} : { status: { observedGeneration } }),
  });
  const withStatus = (generation: number | undefined, status: unknown): Parameters<typeof generationState>[0] =>
    ({ ...object(generation === undefined ? {} : { generation }), status }) as KubeObject;

  test("is current, behind or ahead of the spec", () => {
    expect(generationState(observed(2, 2))).toBe("current");
    expect(generationState(observed(2, 1))).toBe("behind");
    expect(generationState(observed(2, 3))).toBe("ahead");
  });

  test("is unknown where the status does not say it, or the object has no generation", () => {
    const unknown = [
      undefined,
      null,
      {},
      [],
      "x",
      { observedGeneration: "2" },
      { conditions: "x" },
      { conditions: [null] },
    ];
    for (const status of unknown) expect(generationState(withStatus(2, status))).toBe("unknown");
    expect(generationState(withStatus(undefined, { observedGeneration: 2 }))).toBe("unknown");
  });

  test("is that of the condition where the status as a whole has none", () => {
    const conditions = [
      { type: "Accepted", observedGeneration: 1 },
      { type: "Ready", observedGeneration: 2 },
    ];
    const states = (status: unknown): unknown[] =>
      [undefined, "Ready", "Accepted", "Absent"].map((type) => generationState(withStatus(2, status), undefined, type));
    expect(states({ conditions })).toEqual(["current", "current", "behind", "unknown"]);
    expect(states({ observedGeneration: 3, conditions })).toEqual(["ahead", "ahead", "ahead", "ahead"]);
  });

  test("is described with both generations", () => {
    expect(describeGeneration(observed(2, 1))).toBe("observed generation 1 of 2");
    expect(describeGeneration(observed(2, 3))).toBe("the status is about generation 3, ahead of generation 2");
    expect(describeGeneration(observed(2))).toBe("generation 2 is not observed yet");
    expect(describeGeneration(withStatus(undefined, {}))).toBe("the object has no generation");
  });

  test("is compared with the generation of our own write where we know it", () => {
    expect(generationState(observed(1, 1), 2)).toBe("behind");
    expect(generationState(observed(1, 3), 2)).toBe("ahead");
  });
});

test("an object is being deleted once it has a deletion time", () => {
  expect(isDeleting(object())).toBe(false);
  expect(isDeleting(object({ deletionTimestamp: "2026-01-01T00:00:00Z" }))).toBe(true);
});
