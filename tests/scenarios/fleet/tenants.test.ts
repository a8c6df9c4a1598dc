import fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader } from "../../support/fleet/event-reader.ts";
import { TENANTS, startFleet } from "../../support/fleet/running-fleet.ts";
import { API_BASE } from "../../support/fleet/http.ts";
import { ORGS, tenantSteps, TwoTenants } from "./tenants.ts";

test("two tenants never learn anything about each other, not even existence", async () => {
  await using fleet = await startFleet({ kind: "sqlite", path: ":memory:" }, { auth: TENANTS });
  await fc.assert(
    fc.asyncProperty(tenantSteps, async (steps) => {
      const tenants = new TwoTenants(fleet);
      for (const step of steps) await tenants.take(step);
      expect(tenants.leaks).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
  for (const org of ORGS) {
    const { items } = (await fleet.user.http.get(`${API_BASE}/resources?size=100`, { "x-org": org })).resources;
    expect(items.length).toBeGreaterThan(10);
    expect(items.map(({ tenancy }) => tenancy)).toEqual(items.map(() => ({ org })));
  }
});

test("a tenant's watch only reports its own resources, and the system's watch reports all", async () => {
  await using fleet = await startFleet({ kind: "sqlite", path: ":memory:" }, { auth: TENANTS });
  const headers = [{ "x-org": "red" }, { "x-org": "blue" }, { "x-system": "true" }];
  const readers = await Promise.all(
    headers.map((each) => EventReader.open(fleet.user.http, `${API_BASE}/resources?watch=true`, each)),
  );
  const tenants = new TwoTenants(fleet);
  const steps = fc.sample(tenantSteps, { numRuns: 4, seed: 7 }).flat();
  for (const step of steps) await tenants.take(step);
  const last = await Promise.all(ORGS.map((org) => tenants.user(org).cluster({ name: "the-last-one" })));
  const [red, blue, all] = readers;
  for (const [reader, count] of [
    [red, 1],
    [blue, 1],
    [all, 2],
  ] as const) {
    const includesOwn = (data: string): boolean => last.some(({ id }) => data.includes(id));
    await reader?.until((events) => events.filter(({ data }) => includesOwn(data)).length >= count);
  }
  const orgsIn = (reader: EventReader | undefined): readonly string[] => {
    const found = reader?.events.flatMap(({ data }) =>
      [...data.matchAll(/"org":"(\w+)"/gu)].map(([, org]) => org ?? ""),
    );
    return [...new Set(found)].toSorted();
  };
  expect([orgsIn(red), orgsIn(blue), orgsIn(all)]).toEqual([["red"], ["blue"], ["blue", "red"]]);
  await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
});
