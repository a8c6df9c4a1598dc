import { expect, test } from "vitest";
import { kindWith, OneResource } from "../../resource/fleet.fixture.ts";
import type { Resource } from "../../resource/index.ts";
import { localCaller } from "../../service/index.ts";
import type { WatchRequest } from "../watcher.ts";
import { concerns, isWanted } from "./watch-filter.ts";

const PLAIN = new OneResource(kindWith({})).resource;
const CHANNEL = { id: "ch", kind: "Channel", href: "/channels/ch" };
const RESOURCE: Resource = {
  ...PLAIN,
  owner: { id: "o1", kind: "Owner", href: "/owners/o1" },
  references: { channel: [CHANNEL] },
  tenancy: { org: "acme", project: "p" },
};

function request(more: Partial<WatchRequest>, tenancy?: Readonly<Record<string, string>>): WatchRequest {
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
] as const)("a watcher of the tenant %o hears of it: %s", ([tenancy, isHeard]) => {
  expect(concerns(request({}, tenancy), RESOURCE)).toBe(isHeard);
});

test("only the kind and the owner that were asked for concern a watcher", () => {
  expect(concerns(request({ kind: "Cluster", ownerId: "o1" }), RESOURCE)).toBe(true);
  expect(concerns(request({ kind: "NodePool" }), RESOURCE)).toBe(false);
  expect(concerns(request({ ownerId: "o2" }), RESOURCE)).toBe(false);
  expect(concerns(request({ ownerId: "o1" }), PLAIN)).toBe(false);
});

test("only what refers to the resource that was asked for is wanted", () => {
  const of = (type: string, targetId: string): boolean =>
    isWanted(request({ reference: { type, targetId } }), RESOURCE);
  expect([of("channel", "ch"), of("channel", "other"), of("toString", "ch")]).toEqual([true, false, false]);
});
