import fc from "fast-check";
import { expect, test } from "vitest";
import { PendingTriggers } from "./pending-triggers.ts";
import { describeTrigger } from "./trigger.ts";
import type { Trigger } from "./trigger.ts";

const child = (n: number): Trigger => ({ kind: "related", object: `configmap/${n}`, change: "updated", via: "owner" });

const anyTrigger: fc.Arbitrary<Trigger> = fc.oneof(
  { weight: 20, arbitrary: fc.nat(40).map(child) },
  fc.nat(5).map((n): Trigger => ({ kind: "changed", field: `spec.f${n}` })),
  fc
    .constantFrom(
      "listed",
      "appeared",
      "requested",
      "deletion",
      "finalizer",
      "conflict",
      "requeue",
      "retry",
      "throttled",
      "overflow",
    )
    .map((kind): Trigger => ({ kind })),
);

function pending(triggers: readonly Trigger[]): PendingTriggers {
  const made = new PendingTriggers();
  for (const trigger of triggers) made.add(trigger);
  return made;
}

test("all kinds are kept, the first of each kind is described, and the number of descriptions is bounded", () => {
  fc.assert(
    fc.property(fc.array(anyTrigger, { maxLength: 80 }), (triggers) => {
      const { kinds, descriptions } = pending(triggers);
      expect(kinds).toEqual(new Set(triggers.map(({ kind }) => kind)));
      for (const kind of kinds) {
        const first = triggers.find((trigger) => trigger.kind === kind);
        expect(first === undefined || descriptions.includes(describeTrigger(first))).toBe(true);
      }
      expect(descriptions.length).toBeLessThanOrEqual(10 + 12 + 1);
    }),
  );
});

test("joined triggers have the kinds of both", () => {
  fc.assert(
    fc.property(fc.array(anyTrigger), fc.array(anyTrigger), (one, other) => {
      const joined = pending(one);
      joined.join(pending(other));
      expect(joined.kinds).toEqual(pending([...one, ...other]).kinds);
    }),
  );
});

test("triggers beyond the limit are counted", () => {
  const { descriptions } = pending(Array.from({ length: 15 }, (_, n) => child(n)));
  expect(descriptions).toHaveLength(11);
  expect(descriptions.slice(-2)).toEqual(["configmap/9 changed (owner)", "and 5 more"]);
});

test("a repeated trigger is described once", () => {
  expect(pending([child(1), child(1), { kind: "requeue" }]).descriptions).toEqual([
    "configmap/1 changed (owner)",
    "requeue delay elapsed",
  ]);
});
