import { expect, test } from "vitest";
import type { Resource } from "../resource/index.ts";
import { changeRows } from "./change-rows.ts";
import type { ChangeSet } from "./change-set.ts";

function resource(id: string): Resource {
  const texts = { labels: {}, tenancy: {}, references: {}, createdBy: "", updatedBy: "" };
  const times = { createdTime: 0, updatedTime: 0 };
  return { id, kind: "Cluster", name: id, href: "", spec: {}, generation: 1, conditions: [], ...texts, ...times };
}

const ENTRY = {
  id: "e",
  time: 0,
  action: "patch",
  resourceId: "a",
  kind: "Cluster",
  name: "a",
  tenancy: {},
  by: "",
  requestId: "",
  generation: 1,
} as const;
const UPDATE = { resource: resource("a"), before: resource("a"), revision: 1, isDeclared: false };
const ABOUT_A = {
  type: "Reconciled",
  status: "True",
  observedGeneration: 1,
  createdTime: 0,
  lastUpdatedTime: 0,
  lastTransitionTime: 0,
} as const;
const TOUCHED = { id: "b", revision: 1 };

// Changes to the status of one resource may share a statement. Changes that lock two resources each could deadlock.
test.each<[string, Omit<ChangeSet, "entry">, string | undefined]>([
  ["a journal entry only", {}, "a"],
  ["an adapter status", { updated: [UPDATE] }, "a"],
  [
    "an adapter status with a new condition type",
    { updated: [{ ...UPDATE, resource: { ...resource("a"), conditions: [ABOUT_A] } }] },
    undefined,
  ],
  [
    "an update without the previous state",
    { updated: [{ resource: resource("a"), revision: 1, isDeclared: false }] },
    undefined,
  ],
  ["a declaration", { updated: [{ ...UPDATE, isDeclared: true }] }, undefined],
  ["another generation", { updated: [{ ...UPDATE, resource: { ...resource("a"), generation: 2 } }] }, undefined],
  [
    "a deletion",
    { updated: [{ ...UPDATE, resource: { ...resource("a"), deletion: { time: 1, by: "" } } }] },
    undefined,
  ],
  [
    "a change with an idempotency key",
    { updated: [UPDATE], response: { key: "k", request: "", time: 0, status: 200, headers: {}, body: "" } },
    undefined,
  ],
  ["progress", { touched: [{ id: "a", revision: 1 }] }, "a"],
  ["an update that expects the revision of another resource", { updated: [UPDATE], touched: [TOUCHED] }, undefined],
  ["two updates", { updated: [UPDATE, { ...UPDATE, resource: resource("b") }] }, undefined],
  ["a creation", { created: [resource("a")] }, undefined],
  ["a removal", { removed: [UPDATE] }, undefined],
])("%s: recognised as a status change of one resource, or not", (_, change, reportedId) => {
  expect(changeRows({ entry: ENTRY, ...change }).reportedId).toBe(reportedId);
});

test("work and statuses of a resource that the same change removes are left out", () => {
  const work = [{ resourceId: "a", kind: "Cluster", refreshTime: 1 }];
  const statuses = [
    {
      resourceId: "a",
      status: { adapter: "dns", createdTime: 0, progress: { observedGeneration: 1, observedTime: 0, conditions: [] } },
    },
  ];
  expect(changeRows({ entry: ENTRY, removed: [UPDATE], work, statuses })).toMatchObject({ work: null, statuses: null });
});
