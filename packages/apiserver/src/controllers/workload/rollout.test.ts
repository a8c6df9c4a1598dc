import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationMs } from "./annotation.ts";
import { countOf, rollingLimits } from "./fraction.ts";
import { formatIndexes, parseIndexes } from "./job-index.ts";
import { generationsOf, limitsOf, rollingSizes, scaledSizes } from "./rollout.ts";
import type { Deployment, ReplicaSet } from "./rollout.ts";
import { hashOf } from "./template.ts";

/** As much of a deployment as a rollout looks at. */
function deployment(replicas: number, maxSurge: number, maxUnavailable: number): Deployment {
  const spec = {
    replicas,
    template: { metadata: { labels: { v: "new" } } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
  };
  return { metadata: { name: "d" }, spec } as unknown as Deployment; // as much as is looked at
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
  } as unknown as ReplicaSet; // as much as is looked at
}

const scene = fc
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
  .map(({ wanted, surge, unavailable, sizes, shares }) => {
    const sets = (["old", "older", "new"] as const).map((name, index) => {
      const size = sizes[index] ?? 0;
      return replicaSet(name, size, Math.floor(size * (shares[index] ?? 0)));
    });
    return { deployment: deployment(wanted, surge, unavailable), sets };
  });

describe("a step of a rollout", () => {
  test("never asks for more than the wanted number and the surge, unless there were more", () => {
    fc.assert(
      fc.property(scene, ({ deployment: wanted, sets }) => {
        const sizes = rollingSizes(wanted, generationsOf(wanted, sets));
        const before = sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
        const after = sets.reduce((sum, set) => sum + (sizes.get(set.metadata.name) ?? set.spec?.replicas ?? 0), 0);
        const most = (wanted.spec.replicas ?? 0) + limitsOf(wanted).surge;
        expect(after).toBeLessThanOrEqual(Math.max(most, before));
      }),
    );
  });

  test("never takes away available pods below the minimum", () => {
    fc.assert(
      fc.property(scene, ({ deployment: wanted, sets }) => {
        const { present, old } = generationsOf(wanted, sets);
        const sizes = rollingSizes(wanted, { present, old });
        const minimum = (wanted.spec.replicas ?? 0) - limitsOf(wanted).unavailable;
        const available = sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
        const lost = old.reduce((sum, set) => {
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

  test("steps end where only the present replica set is left, if pods become available in between", () => {
    fc.assert(
      fc.property(scene, ({ deployment: wanted, sets }) => {
        let current = sets;
        for (let step = 0; step < 100; step++) {
          const sizes = rollingSizes(wanted, generationsOf(wanted, current));
          if (sizes.size === 0 && current.every((set) => set.spec?.replicas === set.status?.availableReplicas)) break;
          current = current.map((set) => {
            const size = sizes.get(set.metadata.name) ?? set.spec?.replicas ?? 0;
            return replicaSet(set.metadata.name, size, size);
          });
        }
        expect(current.map((set) => set.spec?.replicas)).toEqual([0, 0, wanted.spec.replicas]);
      }),
    );
  });

  test("scaling in the middle gives out exactly what is allowed, and takes back no more", () => {
    fc.assert(
      fc.property(scene, ({ deployment: wanted, sets }) => {
        const generations = generationsOf(wanted, sets);
        const active = sets.filter((set) => (set.spec?.replicas ?? 0) > 0);
        fc.pre(active.length > 1 && (generations.present?.status?.availableReplicas ?? 0) !== wanted.spec.replicas);
        const sizes = scaledSizes(wanted, generations);
        const before = active.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
        const total = active.reduce((sum, set) => sum + (sizes.get(set.metadata.name) ?? 0), 0);
        const replicas = wanted.spec.replicas ?? 0;
        const allowed = replicas === 0 ? 0 : replicas + limitsOf(wanted).surge;
        expect(total).toBeGreaterThanOrEqual(allowed);
        expect(total).toBeLessThanOrEqual(Math.max(allowed, before));
        expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test("limits of a rollout are never both zero", () => {
  expect(rollingLimits("25%", "25%", 3)).toEqual({ surge: 1, unavailable: 0 });
  expect(rollingLimits(0, "10%", 3)).toEqual({ surge: 0, unavailable: 1 });
  expect([countOf("50%", 3, "up"), countOf("50%", 3, "down"), countOf(2, 9, "up"), countOf("x", 9, "up")]).toEqual([
    2, 1, 2, 0,
  ]);
});

test("a hash is the same for the same value, whatever the order of its keys", () => {
  expect(hashOf({ a: 1, b: [1, 2], c: undefined })).toBe(hashOf({ b: [1, 2], a: 1 }));
  expect(hashOf({ a: 1 })).not.toBe(hashOf({ a: 2 }));
  expect(hashOf({ a: 1 }, 1)).not.toBe(hashOf({ a: 1 }, 2));
  expect(hashOf({ a: 1 })).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/u);
});

test("indexes survive being written", () => {
  expect([formatIndexes([0, 1, 2, 5, 7, 8]), parseIndexes("")]).toEqual(["0-2,5,7-8", []]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50)), (numbers) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      expect(parseIndexes(formatIndexes(sorted))).toEqual(sorted);
    }),
  );
});

test("durations are read as Go writes them", () => {
  expect(["200ms", "5s", "1m30s", "1.5h", "", "5", "5 s"].map(durationMs)).toEqual([
    200,
    5000,
    90_000,
    5_400_000,
    undefined,
    undefined,
    undefined,
  ]);
});
