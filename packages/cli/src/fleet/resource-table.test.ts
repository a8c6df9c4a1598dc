import type { WireResource } from "@levelset/fleet/client";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { ParentNames } from "./parent-names.ts";
import { countText, tableLines } from "./resource-table.ts";

const KIND = { kind: "Cluster", plural: "clusters", parentKind: undefined, requiredAdapters: ["dns"] };

/** A resource at generation 2 whose Ready and adapter are True for a generation. */
function resource(clock: VirtualClock, observed: number): WireResource {
  const conditions = ["Ready", "DnsSuccessful"].map((type) => ({
    type,
    status: "True",
    observed_generation: observed,
  }));
  const updated = new Date(clock.now()).toISOString();
  // Only the fields of a row.
  return { name: "eu-1", generation: 2, updated_time: updated, status: { conditions } } as unknown as WireResource;
}

test("a resource is Ready only if Ready is True at its latest generation", () => {
  const clock = new VirtualClock();
  const resources = [1, 2, 3].map((observed) => resource(clock, observed));
  const session = { client: undefined as never, kinds: [KIND], signal: new AbortController().signal }; // the kind has no parent
  const [, ...rows] = tableLines(KIND, resources, new ParentNames(session), { clock });
  expect(rows.map((row) => row.replaceAll(/ {2,}/gu, "  "))).toEqual([
    "eu-1  2  Progressing (0 of 1)  -  … 1 → 2 for 0 s",
    "eu-1  2  Ready  -  ✓ 2",
    "eu-1  2  Progressing (0 of 1)  -  … 3 → 2 for 0 s",
  ]);
  expect(countText(KIND, resources)).toBe("3 clusters, 1 Ready");
});
