import fc from "fast-check";
import { expect, test } from "vitest";
import { withOwnerLabels } from "./owner-labels.ts";
import type { OwnerInfo } from "./owner-labels.ts";
import { isClaimed, NotOwnedError, ownershipOf } from "./ownership.ts";

const text = fc.constantFrom("dns", "network", "über adapter", "c1", "c2", "x".repeat(70));
const someMark: fc.Arbitrary<OwnerInfo> = fc.record({
  adapter: text,
  resourceId: text,
  generation: fc.constant(1),
  resourceKind: fc.constantFrom("Cluster", "NodePool", undefined),
});
const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "apps" } };

test("an object is ours exactly if adapter, ID and, where both are known, kind are equal", () => {
  fc.assert(
    fc.property(someMark, someMark, (one, other) => {
      const isKind = one.resourceKind === other.resourceKind || !one.resourceKind || !other.resourceKind;
      const isSame = one.adapter === other.adapter && one.resourceId === other.resourceId && isKind;
      const { kind } = ownershipOf(withOwnerLabels(manifest, one, undefined), other);
      expect(kind).toBe(isSame ? "ours" : "other");
    }),
  );
});

test("adopt covers objects without an owner, and never those of another owner", () => {
  fc.assert(
    fc.property(someMark, someMark, (one, other) => {
      expect(isClaimed(ownershipOf(manifest, one), { adopt: true })).toBe(true);
      expect(isClaimed(ownershipOf(manifest, one), { adopt: false })).toBe(false);
      const foreign = ownershipOf(withOwnerLabels(manifest, other, undefined), one);
      expect(isClaimed(foreign, { adopt: true })).toBe(foreign.kind === "ours");
    }),
  );
});

test("an object whose label or annotation was removed has no owner", () => {
  const mark = { adapter: "dns", resourceId: "c1", generation: 1 };
  const { metadata, ...rest } = withOwnerLabels(manifest, mark, undefined);
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
])("an object of another controller names its owner: %j", (more, owner) => {
  const object = { ...manifest, metadata: { ...manifest.metadata, ...more } };
  const ownership = ownershipOf(object, { adapter: "dns", resourceId: "c1", generation: 1 });
  expect(ownership).toMatchObject({ kind: "other", owner });
  expect(new NotOwnedError(object, ownership).message).toBe(
    `NotOurs: ConfigMap apps/settings belongs to ${owner}; render another name`,
  );
});
