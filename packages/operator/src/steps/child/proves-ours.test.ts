import { controllerReference } from "@levelset/core";
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "@levelset/core";
import { ownerAnnotations } from "@levelset/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { provesOurs } from "./proves-ours.ts";

const META = { resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
const APPLIED = "hash of our fields";
const STEP = "levelset.dev/step";

function shop(name: string, uid: string, kind = "Shop"): KubeObject {
  return { apiVersion: "test.levelset.dev/v1", kind, metadata: { ...META, namespace: "default", name, uid } };
}
const OWNER = shop("a", "uid-1");
const MARKS = ownerAnnotations(OWNER);

function written(by: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  const fieldsV1 = { "f:metadata": { "f:annotations": { [`f:${STEP}`]: {} } } };
  return { manager: by, operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

/** A child of OWNER that has lost its owner reference and its owner annotation. */
function stripped(metadata: Partial<ObjectMeta> = {}): KubeObject {
  const annotations = { [STEP]: "Settings/default/c", "levelset.dev/applied": APPLIED };
  const own = { namespace: "default", name: "c", uid: "uid-c", annotations, managedFields: [written("levelset-shop")] };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...META, ...own, ...metadata } };
}

function isOurs(child: KubeObject, owner: KubeObject, applied: string | undefined): boolean {
  return provesOurs(child, { owner, step: "Settings", manager: "levelset-shop", applied });
}

const notes = (more: Readonly<Record<string, string>>): Partial<ObjectMeta> => ({
  annotations: { ...stripped().metadata.annotations, ...more },
});

describe("a child without an owner", () => {
  const reference = controllerReference(OWNER);
  test.each<[string, KubeObject, boolean]>([
    ["the hash covers our UID", stripped(), true],
    [
      "the label has our UID, and the hash is of other fields",
      stripped({ labels: MARKS.labels, ...notes({ "levelset.dev/applied": "x" }) }),
      true,
    ],
    [
      "the owner reference is no longer that of a controller",
      stripped({ ...notes({ "levelset.dev/applied": "x" }), ownerReferences: [{ ...reference, controller: false }] }),
      true,
    ],
    ["neither hash nor label has our UID", stripped(notes({ "levelset.dev/applied": "x" })), false],
    ["the label has another UID", stripped({ labels: { "levelset.dev/owner-uid": "uid-2" } }), false],
    ["the annotation names another owner", stripped(notes(ownerAnnotations(shop("b", "uid-1")).annotations)), false],
    ["the step is another one", stripped(notes({ [STEP]: "Other/default/c" })), false],
    ["it is a copy under another name", stripped({ name: "d" }), false],
    [
      "another object is its controller",
      stripped({ labels: MARKS.labels, ownerReferences: [controllerReference(shop("b", "uid-2"))] }),
      false,
    ],
    ["another manager wrote the annotation", stripped({ managedFields: [written("kubectl")] }), false],
    [
      "our manager wrote other fields only",
      stripped({ managedFields: [written("levelset-shop", { fieldsV1: { "f:data": {} } })] }),
      false,
    ],
    [
      "our manager wrote its status only",
      stripped({ managedFields: [written("levelset-shop", { subresource: "status" })] }),
      false,
    ],
    [
      "our manager did not apply it",
      stripped({ managedFields: [written("levelset-shop", { operation: "Update" })] }),
      false,
    ],
    ["it has no managedFields", stripped({ managedFields: [] }), false],
  ])("if %s", (_, child, expected) => {
    expect(isOurs(child, OWNER, APPLIED)).toBe(expected);
  });

  test("is not ours without a hash to compare, unless its label has our UID", () => {
    expect(isOurs(stripped(), OWNER, undefined)).toBe(false);
    expect(isOurs(stripped({ labels: MARKS.labels }), OWNER, undefined)).toBe(true);
  });
});

test("a child is never taken from a controller, and never by an object with another UID", () => {
  const uid = fc.constantFrom("uid-1", "uid-2", "uid-3");
  const some = <T>(value: T): fc.Arbitrary<T | undefined> => fc.option(fc.constant(value), { nil: undefined });
  const marks = fc.record({
    controller: fc.option(uid, { nil: undefined }),
    label: fc.option(uid, { nil: undefined }),
    note: some("note"),
    hash: fc.option(uid, { nil: undefined }),
    claimant: uid,
  });
  fc.assert(
    fc.property(marks, ({ controller, label, note, hash, claimant }) => {
      const owner = shop("a", claimant);
      const child = stripped({
        ...notes({ "levelset.dev/applied": `hash ${hash}`, ...(note === undefined ? {} : MARKS.annotations) }),
        ...(label === undefined ? {} : { labels: { "levelset.dev/owner-uid": label } }),
        ...(controller === undefined ? {} : { ownerReferences: [controllerReference(shop("a", controller))] }),
      });
      const evidence = [label, hash].filter((value) => value !== undefined);
      const expected = controller === undefined && evidence.includes(claimant) && (label ?? claimant) === claimant;
      expect(isOurs(child, owner, `hash ${claimant}`)).toBe(expected);
    }),
  );
});
