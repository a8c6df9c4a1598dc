import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scaledValueOf, resolveFenceposts } from "../int-or-percent.ts";
import { formatIndexes, parseIndexes } from "../batch/job-index.ts";
import {
  groupReplicaSets,
  surgeAndUnavailableOf,
  rollingUpdateSizes,
  sizesAfterScaling,
} from "./deployment-rollout.ts";
import type { Deployment, ReplicaSet } from "./deployment-rollout.ts";
import { computeHash } from "../pod/pod-from-template.ts";

/** A deployment with only the fields that a rollout reads. */
function deployment(replicas: number, maxSurge: number, maxUnavailable: number): Deployment {
  const spec = {
    replicas,
    template: { metadata: { labels: { v: "new" } } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
  };
  return { metadata: { name: "d" }, spec } as unknown as Deployment; // only the fields that are used
}

function replicaSet(name: string, size: number, available: number, desired = size): ReplicaSet {
  const annotations = {
    "deployment.kubernetes.io/desired-replicas": String(desired),
    "deployment.kubernetes.io/max-replicas": String(desired),
  };
  return {
    metadata: { name, annotations, creationTimestamp: `2026-01-01T00:00:0${name.length}Z` },
    spec: { replicas: size, template: { metadata: { labels: { v: name } } } },
    status: { replicas: size, availableReplicas: available },
  } as unknown as ReplicaSet; // only the fields that are used
}

const scenario = fc
  .record({
    wanted: fc.integer({ min: 0, max: 12 }),
    surge: fc.integer({ min: 0, max: 4 }),
    unavailable: fc.integer({ min: 0, max: 4 }),
    sizes: fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12)),
    shares: fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
  })
  .map(({ wanted: desired, surge, unavailable, sizes, shares }) => {
    const sets = (["old", "older", "new"] as const).map((name, index) => {
      const size = sizes[index] ?? 0;
      return replicaSet(name, size, Math.floor(size * (shares[index] ?? 0)));
    });
    return { deployment: deployment(desired, surge, unavailable), sets };
  });

describe("a step of a rolling update", () => {
  test("never exceeds the desired number plus surge, unless there were more before", () => {
    fc.assert(
      fc.property(scenario, ({ deployment: desired, sets }) => {
        const sizes = rollingUpdateSizes(desired, groupReplicaSets(desired, sets));
        const before = sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
        const after = sets.reduce((sum, set) => sum + (sizes.get(set.metadata.name) ?? set.spec?.replicas ?? 0), 0);
        const most = (desired.spec.replicas ?? 0) + surgeAndUnavailableOf(desired).surge;
        expect(after).toBeLessThanOrEqual(Math.max(most, before));
      }),
    );
  });

  test("never removes available pods below the minimum", () => {
    fc.assert(
      fc.property(scenario, ({ deployment: desired, sets }) => {
        const { newReplicaSet, oldReplicaSets } = groupReplicaSets(desired, sets);
        const sizes = rollingUpdateSizes(desired, { newReplicaSet, oldReplicaSets });
        const minimum = (desired.spec.replicas ?? 0) - surgeAndUnavailableOf(desired).unavailable;
        const available = sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
        const lost = oldReplicaSets.reduce((sum, set) => {
          const [size, ready] = [
            sizes.get(set.metadata.name) ?? set.spec?.replicas ?? 0,
            set.status?.availableReplicas ?? 0,
          ];
          return sum + Math.max(0, ready - size);
        }, 0);
        expect(lost === 0 || available - lost >= minimum).toBe(true);
      }),
    );
  });

  test("repeats until only the current replica set is left, if pods become available in between", () => {
    fc.assert(
      fc.property(scenario, ({ deployment: desired, sets }) => {
        let current = sets;
        for (let step = 0; step < 100; step++) {
          const sizes = rollingUpdateSizes(desired, groupReplicaSets(desired, current));
          if (sizes.size === 0 && current.every((set) => set.spec?.replicas === set.status?.availableReplicas)) break;
          current = current.map((set) => {
            const size = sizes.get(set.metadata.name) ?? set.spec?.replicas ?? 0;
            return replicaSet(set.metadata.name, size, size);
          });
        }
        expect(current.map((set) => set.spec?.replicas)).toEqual([0, 0, desired.spec.replicas]);
      }),
    );
  });

  test("scaling during a rollout distributes exactly the allowed number", () => {
    fc.assert(
      fc.property(scenario, ({ deployment: desired, sets }) => {
        const generations = groupReplicaSets(desired, sets);
        const active = sets.filter((set) => (set.spec?.replicas ?? 0) > 0);
        fc.pre(
          active.length > 1 && (generations.newReplicaSet?.status?.availableReplicas ?? 0) !== desired.spec.replicas,
        );
        const sizes = sizesAfterScaling(desired, generations);
        const before = active.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
        const total = active.reduce((sum, set) => sum + (sizes.get(set.metadata.name) ?? 0), 0);
        const replicas = desired.spec.replicas ?? 0;
        const allowed = replicas === 0 ? 0 : replicas + surgeAndUnavailableOf(desired).surge;
        expect(total).toBeGreaterThanOrEqual(allowed);
        expect(total).toBeLessThanOrEqual(Math.max(allowed, before));
        expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test("surge and unavailability are never both zero", () => {
  expect(resolveFenceposts("25%", "25%", 3)).toEqual({ surge: 1, unavailable: 0 });
  expect(resolveFenceposts(0, "10%", 3)).toEqual({ surge: 0, unavailable: 1 });
  expect([
    scaledValueOf("50%", 3, "up"),
    scaledValueOf("50%", 3, "down"),
    scaledValueOf(2, 9, "up"),
    scaledValueOf("x", 9, "up"),
  ]).toEqual([2, 1, 2, 0]);
});

test("a hash does not depend on the order of keys", () => {
  expect(computeHash({ a: 1, b: [1, 2], c: undefined })).toBe(computeHash({ b: [1, 2], a: 1 }));
  expect(computeHash({ a: 1 })).not.toBe(computeHash({ a: 2 }));
  expect(computeHash({ a: 1 }, 1)).not.toBe(computeHash({ a: 1 }, 2));
  expect(computeHash({ a: 1 })).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/u);
});

test("indexes survive a round trip", () => {
  expect([formatIndexes([0, 1, 2, 5, 7, 8]), parseIndexes("")]).toEqual(["0-2,5,7-8", []]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50)), (numbers) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      expect(parseIndexes(formatIndexes(sorted))).toEqual(sorted);
    }),
  );
});
