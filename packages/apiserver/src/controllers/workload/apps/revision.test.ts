import fc from "fast-check";
import { expect, test } from "vitest";
import { planRevision, sortRevisions } from "./revision.ts";
import type { Revision } from "./revision.ts";

function revision(index: number, number: number, template: string): Revision {
  const metadata = { name: `r-${index}`, creationTimestamp: "2026-01-01T00:00:00Z" };
  // Only these fields are read.
  return { metadata, revision: number, data: { template } } as unknown as Revision;
}

const HISTORY = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom("a", "b", "c")), { maxLength: 6 })
  .map((entries) => entries.map(([number, template], index) => revision(index, number, template)));

test("the plan makes the current template the newest for any history, and then needs no change", () => {
  fc.assert(
    fc.property(HISTORY, fc.constantFrom("a", "b", "c"), (history, template) => {
      const data = { template };
      const plan = planRevision(sortRevisions(history), data);
      const next =
        plan.kind === "create"
          ? [...history, revision(history.length, plan.revision, template)]
          : history.map((each) => (each === plan.kept ? { ...each, revision: plan.revision } : each));
      const sorted = sortRevisions(next);
      expect(sorted.at(-1)?.data).toEqual(data);
      const again = planRevision(sorted, data);
      expect(again).toEqual({ kind: "keep", kept: sorted.at(-1), revision: sorted.at(-1)?.revision });
    }),
  );
});
