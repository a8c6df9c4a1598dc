import { expect, test } from "vitest";
import { EVERY_TENANT } from "../store/index.ts";
import type { StoredResource } from "../store/index.ts";
import { ResourceCache } from "./resource-cache.ts";

function stored(id: string, revision: number): StoredResource {
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

const ALL_TENANTS = { scope: EVERY_TENANT };

test("an entry is taken once, and the newest stays", () => {
  const recent = new ResourceCache(10);
  recent.put(stored("a", 5));
  recent.put(stored("a", 4));
  expect(recent.take({ id: "a", ...ALL_TENANTS })?.revision).toBe(5);
  expect(recent.take({ id: "a", ...ALL_TENANTS })).toBeUndefined();
});

test.each([
  [{ ...ALL_TENANTS }, true],
  [{ ...ALL_TENANTS, kind: "Pool", ownerId: "o" }, true],
  [{ ...ALL_TENANTS, kind: "Cluster" }, false],
  [{ ...ALL_TENANTS, ownerId: "p" }, false],
  [{ scope: { kind: "tenant", tenancy: { org: "x" } } as const }, true],
  [{ scope: { kind: "tenant", tenancy: { org: "y" } } as const }, false],
  [{ scope: { kind: "tenant", tenancy: { org: "x", project: "z" } } as const }, false],
])("with %j it is found: %s", (key, isFound) => {
  const recent = new ResourceCache(10);
  recent.put(stored("a", 1));
  expect(recent.take({ id: "a", ...key }) !== undefined).toBe(isFound);
});

test("the oldest entries are evicted", () => {
  const recent = new ResourceCache(2);
  for (const id of ["a", "b", "c"]) recent.put(stored(id, 1));
  expect(["a", "b", "c"].map((id) => recent.take({ id, ...ALL_TENANTS })?.resource.id)).toEqual([undefined, "b", "c"]);
});
