import fc from "fast-check";
import { expect, test } from "vitest";
import { marked } from "./marks.ts";
import type { Mark } from "./marks.ts";
import { isClaimed, NotOurs, ownershipOf } from "./ownership.ts";

const text = fc.constantFrom("dns", "network", "über adapter", "c1", "c2", "x".repeat(70));
const someMark: fc.Arbitrary<Mark> = fc.record({
  adapter: text,
  resourceId: text,
  generation: fc.constant(1),
  resourceKind: fc.constantFrom("Cluster", "NodePool", undefined),
});
const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "apps" } };

test("an object is ours exactly when adapter, id and, where both say one, kind are the same", () => {
  fc.assert(
    fc.property(someMark, someMark, (one, other) => {
      const isKind = one.resourceKind === other.resourceKind || !one.resourceKind || !other.resourceKind;
      const isSame = one.adapter === other.adapter && one.resourceId === other.resourceId && isKind;
      const { kind } = ownershipOf(marked(manifest, one, undefined), other);
      expect(kind).toBe(isSame ? "ours" : "other");
    }),
  );
});

test("adopt covers what has no owner, and never what another owns", () => {
  fc.assert(
    fc.property(someMark, someMark, (one, other) => {
      expect(isClaimed(ownershipOf(manifest, one), { adopt: true })).toBe(true);
      expect(isClaimed(ownershipOf(manifest, one), { adopt: false })).toBe(false);
      const theirs = ownershipOf(marked(manifest, other, undefined), one);
      expect(isClaimed(theirs, { adopt: true })).toBe(theirs.kind === "ours");
    }),
  );
});

test("an object whose label or annotation was removed has no owner", () => {
  const mark = { adapter: "dns", resourceId: "c1", generation: 1 };
  const { metadata, ...rest } = marked(manifest, mark, undefined);
  expect(ownershipOf({ ...rest, metadata: { ...(metadata as object), labels: {} } }, mark).kind).toBe("unowned");
  expect(ownershipOf({ ...rest, metadata: { ...(metadata as object), annotations: {} } }, mark).kind).toBe("unowned");
});

test.each([
  [
    { ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true }] },
    "ReplicaSet web",
  ],
  [
    { labels: { "levelset.dev/owner-uid": "u" }, annotations: { "levelset.dev/owner": "Shop.test.dev/apps/a" } },
    "Shop a",
  ],
  [{ labels: { "operand.levelset.dev/managed": "true" } }, "an Operand"],
])("what another controller manages names its owner: %j", (more, owner) => {
  const object = { ...manifest, metadata: { ...manifest.metadata, ...more } };
  const ownership = ownershipOf(object, { adapter: "dns", resourceId: "c1", generation: 1 });
  expect(ownership).toMatchObject({ kind: "other", owner });
  expect(new NotOurs(object, ownership).message).toBe(
    `NotOurs: ConfigMap apps/settings belongs to ${owner}; render another name`,
  );
});
