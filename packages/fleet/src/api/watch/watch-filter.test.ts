import { expect, test } from "vitest";
import { testKind, OneResource } from "../../resource/fleet.fixture.ts";
import type { Resource } from "../../resource/index.ts";
import { localCaller } from "../../service/index.ts";
import type { WatchQuery } from "../watcher.ts";
import { matchesScope, matchesFilter } from "./watch-filter.ts";

const PLAIN = new OneResource(testKind({})).resource;
const CHANNEL = { id: "ch", kind: "Channel", href: "/channels/ch" };
const RESOURCE: Resource = {
  ...PLAIN,
  owner: { id: "o1", kind: "Owner", href: "/owners/o1" },
  references: { channel: [CHANNEL] },
  tenancy: { org: "acme", project: "p" },
};

function request(more: Partial<WatchQuery>, tenancy?: Readonly<Record<string, string>>): WatchQuery {
  const scope = tenancy === undefined ? ({ kind: "all" } as const) : ({ kind: "tenant", tenancy } as const);
  const { signal } = new AbortController();
  return { caller: { ...localCaller("r"), scope }, selection: undefined, lastEventId: undefined, signal, ...more };
}

test.for([
  [undefined, true],
  [{ org: "acme", project: "p" }, true],
  [{ project: "p", org: "acme" }, true],
  [{ org: "acme" }, false],
  [{ org: "acme", project: "p", team: "t" }, false],
  [{ org: "other", project: "p" }, false],
  [{}, false],
] as const)("a watcher of tenant %o receives it: %s", ([tenancy, isReceived]) => {
  expect(matchesScope(request({}, tenancy), RESOURCE)).toBe(isReceived);
});

test("a watcher receives only the selected kind and owner", () => {
  expect(matchesScope(request({ kind: "Cluster", ownerId: "o1" }), RESOURCE)).toBe(true);
  expect(matchesScope(request({ kind: "NodePool" }), RESOURCE)).toBe(false);
  expect(matchesScope(request({ ownerId: "o2" }), RESOURCE)).toBe(false);
  expect(matchesScope(request({ ownerId: "o1" }), PLAIN)).toBe(false);
});

test("only resources with the selected reference match", () => {
  const of = (type: string, targetId: string): boolean =>
    matchesFilter(request({ reference: { type, targetId } }), RESOURCE);
  expect([of("channel", "ch"), of("channel", "other"), of("toString", "ch")]).toEqual([true, false, false]);
});
