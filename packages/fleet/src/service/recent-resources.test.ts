import { expect, test } from "vitest";
import { EVERY_TENANT } from "../store/index.ts";
import type { Stored } from "../store/index.ts";
import { RecentResources } from "./recent-resources.ts";

function stored(id: string, revision: number): Stored {
  const owner = { id: "o", kind: "Owner", href: "" };
  const texts = { labels: {}, tenancy: { org: "x" }, references: {}, createdBy: "", updatedBy: "" };
  const times = { createdTime: 0, updatedTime: 0 };
  const resource = {
    id,
    kind: "Pool",
    name: id,
    href: "",
    spec: {},
    generation: 1,
    owner,
    conditions: [],
    ...texts,
    ...times,
  };
  return { resource, revision, statuses: [], children: 0 };
}

const ANYBODY = { scope: EVERY_TENANT };

test("what is taken is taken once, and the newest stays", () => {
  const recent = new RecentResources(10);
  recent.keep(stored("a", 5));
  recent.keep(stored("a", 4));
  expect(recent.take({ id: "a", ...ANYBODY })?.revision).toBe(5);
  expect(recent.take({ id: "a", ...ANYBODY })).toBeUndefined();
});

test.each([
  [{ ...ANYBODY }, true],
  [{ ...ANYBODY, kind: "Pool", ownerId: "o" }, true],
  [{ ...ANYBODY, kind: "Cluster" }, false],
  [{ ...ANYBODY, ownerId: "p" }, false],
  [{ scope: { kind: "tenant", tenancy: { org: "x" } } as const }, true],
  [{ scope: { kind: "tenant", tenancy: { org: "y" } } as const }, false],
  [{ scope: { kind: "tenant", tenancy: { org: "x", project: "z" } } as const }, false],
])("under %j it is found: %s", (key, isFound) => {
  const recent = new RecentResources(10);
  recent.keep(stored("a", 1));
  expect(recent.take({ id: "a", ...key }) !== undefined).toBe(isFound);
});

test("the oldest go when there are too many", () => {
  const recent = new RecentResources(2);
  for (const id of ["a", "b", "c"]) recent.keep(stored(id, 1));
  expect(["a", "b", "c"].map((id) => recent.take({ id, ...ANYBODY })?.resource.id)).toEqual([undefined, "b", "c"]);
});
