import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyJsonPatch, JsonPatchError } from "../patch/index.ts";
import type { JsonObject } from "../json/index.ts";
import {
  addFinalizerPatch,
  compareResourceVersions,
  controllerOf,
  controllerReference,
  REMOTE_OWNER_ANNOTATION,
  finalizerName,
  formatApiVersion,
  formatKey,
  describeGeneration,
  generationState,
  hasFinalizer,
  isDeleting,
  isRemoteOwner,
  isOwnedBy,
  objectKeyOf,
  managerOf,
  controllingOwnerUid,
  annotatedOwnerOf,
  ownerAnnotations,
  parseApiVersion,
  parseKey,
  removeFinalizerPatch,
  removeOwnerPatch,
  strippedOwnerUid,
  withOwnerReference,
} from "./index.ts";
import type { KubeObject, ObjectMeta } from "./index.ts";

function object(meta: Partial<ObjectMeta> = {}): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid: "u1", resourceVersion: "7", ...meta } };
}

/** An interface lacks the index signature of JsonObject; the value is the same. */
const json = (value: KubeObject): JsonObject => value as unknown as JsonObject;

describe("keys", () => {
  test("round-trip through formatting and parsing, with and without a namespace", () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/u);
    fc.assert(
      fc.property(fc.option(name, { nil: undefined }), name, (namespace, own) => {
        const key = namespace === undefined ? { name: own } : { namespace, name: own };
        expect(parseKey(formatKey(key))).toEqual(key);
        expect(objectKeyOf(object(key))).toEqual(key);
      }),
    );
  });

  test("of API groups round-trip too; the core group is empty", () => {
    expect(parseApiVersion("v1")).toEqual({ group: "", version: "v1" });
    expect(formatApiVersion("apps", "v1")).toBe("apps/v1");
    expect(parseApiVersion("apps/v1")).toEqual({ group: "apps", version: "v1" });
  });
});

test("resourceVersions are compared as numbers of any size", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }), (a, b) => {
      const sign = Math.sign(compareResourceVersions(a.toString(), b.toString()));
      expect(sign).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

describe("finalizers", () => {
  const others = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/u), { maxLength: 4 });

  test("are appended and removed without changing other finalizers", () => {
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

  test("are not changed if the list changed since it was read", () => {
    const read = object({ finalizers: ["a/a", "mine.dev/x"] });
    const shifted = object({ finalizers: ["mine.dev/x"], resourceVersion: "8" });
    expect(() => applyJsonPatch(json(shifted), removeFinalizerPatch(read, "mine.dev/x"))).toThrow(JsonPatchError);
    const bare = object();
    const taken = object({ finalizers: ["a/a"], resourceVersion: "8" });
    expect(() => applyJsonPatch(json(taken), addFinalizerPatch(bare, "mine.dev/x"))).toThrow(JsonPatchError);
  });

  test("are added once, even if the patch is delivered twice, and all duplicates are removed", () => {
    fc.assert(
      fc.property(others, (finalizers) => {
        const before = object({ finalizers });
        const patch = addFinalizerPatch(before, "mine.dev/x");
        const added = applyJsonPatch(json(before), patch) as unknown as KubeObject;
        const stored = { ...added, metadata: { ...added.metadata, resourceVersion: "8" } };
        expect(() => applyJsonPatch(json(stored), patch)).toThrow(JsonPatchError);
        const twice = object({ finalizers: ["mine.dev/x", ...finalizers, "mine.dev/x"] });
        const removed = applyJsonPatch(json(twice), removeFinalizerPatch(twice, "mine.dev/x")) as unknown as KubeObject;
        expect(removed.metadata.finalizers ?? []).toEqual(finalizers);
      }),
    );
  });

  test("are never added to a recreated object", () => {
    const again = object({ uid: "u2", finalizers: ["a/a"] });
    expect(() => applyJsonPatch(json(again), addFinalizerPatch(object({ finalizers: ["a/a"] }), "mine.dev/x"))).toThrow(
      JsonPatchError,
    );
  });

  test("need no patch if the list is already as desired", () => {
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

  test("are matched by uid, so a recreated object of the same name is not an owner", () => {
    const child = object({ ownerReferences: [controllerReference(owner)] });
    expect(isOwnedBy(child, owner)).toBe(true);
    expect(isOwnedBy(child, object({ uid: "o2" }))).toBe(false);
    expect(isOwnedBy(object(), owner)).toBe(false);
    expect(controllerOf(child)?.uid).toBe("o");
    expect(controllerOf(object())).toBeUndefined();
  });

  test("are found among several, and block foreground deletion until the child is gone", () => {
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

  test("are replaced in place or appended, and others are kept", () => {
    const other = { ...controllerReference(object({ uid: "p" })), controller: false };
    const list = withOwnerReference([other], controllerReference(owner));
    expect(list.map(({ uid }) => uid)).toEqual(["p", "o"]);
    expect(
      withOwnerReference(list, { ...controllerReference(owner), name: "renamed" }).map(({ name }) => name),
    ).toEqual(["a", "renamed"]);
    expect(withOwnerReference(undefined, controllerReference(owner))).toHaveLength(1);
  });
});

describe("owner annotations", () => {
  const owner = { ...object({ uid: "o", namespace: "home" }), apiVersion: "x.dev/v1" };
  const marked = ownerAnnotations(owner);

  test("identify the owner where an owner reference cannot", () => {
    const child = object(marked);
    expect(annotatedOwnerOf(child)).toEqual({ group: "x.dev", kind: "Thing", namespace: "home", name: "a", uid: "o" });
    expect(controllingOwnerUid(child)).toBe("o");
    expect(
      controllingOwnerUid(object({ ...marked, ownerReferences: [controllerReference(object({ uid: "p" }))] })),
    ).toBe("p");
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

  test("leave a label as a hint if the rest was removed", () => {
    expect(strippedOwnerUid(object({ labels: marked.labels }))).toBe("o");
    expect(strippedOwnerUid(object(marked))).toBeUndefined();
    const references = { ownerReferences: [controllerReference(object({ uid: "p" }))] };
    expect(strippedOwnerUid(object({ labels: marked.labels, ...references }))).toBeUndefined();
    expect(strippedOwnerUid(object())).toBeUndefined();
  });

  test("are removed by a patch that keeps those of another owner", () => {
    const child = object({ labels: { ...marked.labels, a: "1" }, annotations: { ...marked.annotations, b: "2" } });
    const patched = applyJsonPatch(json(child), removeOwnerPatch(child, owner)) as unknown as KubeObject;
    expect(patched).toMatchObject({ metadata: { labels: { a: "1" }, annotations: { b: "2" } } });
    expect(removeOwnerPatch(patched, owner)).toEqual([]);
    const other = { ...owner, metadata: { ...owner.metadata, name: "b", uid: "p" } };
    expect(removeOwnerPatch(child, other)).toEqual([]);
    const replaced = json({ ...child, metadata: { ...child.metadata, uid: "u2" } });
    expect(() => applyJsonPatch(replaced, removeOwnerPatch(child, owner))).toThrow(JsonPatchError);
  });

  test("identify cluster-scoped owners and owners of the core group", () => {
    const cluster = { ...object({ uid: "o" }), apiVersion: "v1", kind: "Node" };
    expect(annotatedOwnerOf(object(ownerAnnotations(cluster)))).toEqual({
      group: "",
      kind: "Node",
      name: "a",
      uid: "o",
    });
  });

  test.each([
    [{ labels: {} }],
    [{ annotations: {} }],
    [{ annotations: { "levelset.dev/owner": "Thing" } }],
    [{ annotations: { "levelset.dev/owner": "Thing.x.dev" } }],
    [{ annotations: { "levelset.dev/owner": "Thing.x.dev/" } }],
    [{ annotations: { "levelset.dev/owner": ".x.dev/a" } }],
    [{}],
  ])("that cannot be parsed are ignored (%#)", (broken) => {
    const child = object(Object.keys(broken).length === 0 ? {} : { ...marked, ...broken });
    expect(annotatedOwnerOf(child)).toBeUndefined();
    expect(controllingOwnerUid(child)).toBeUndefined();
  });

  test("replace the owner reference for remote owners", () => {
    const saying = (text: string): boolean =>
      isRemoteOwner(object({ annotations: { [REMOTE_OWNER_ANNOTATION]: text } }));
    expect([saying("true"), saying("false"), saying(""), isRemoteOwner(object())]).toEqual([true, false, false, false]);
  });
});

describe("the observed generation", () => {
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

  test("is unknown if the status or the object has no generation", () => {
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

  test("is that of the condition if the status has none", () => {
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

  test("is compared with the generation of our own write if it is known", () => {
    expect(generationState(observed(1, 1), 2)).toBe("behind");
    expect(generationState(observed(1, 3), 2)).toBe("ahead");
  });
});

test("an object is being deleted once it has a deletion timestamp", () => {
  expect(isDeleting(object())).toBe(false);
  expect(isDeleting(object({ deletionTimestamp: "2026-01-01T00:00:00Z" }))).toBe(true);
});
