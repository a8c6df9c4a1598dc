import { describe, expect, test } from "vitest";
import type { AdapterStatus } from "./report/adapter-status.ts";
import { decideCreate, decidePatch } from "./resource-change.ts";
import { DEFAULT_ENTITIES } from "./kind/default-entities.ts";
import { decideDelete, decideForceDelete } from "./deletion.ts";
import type { ResourceTree } from "./deletion.ts";
import { DEFAULT_TTL, dueAdapters, dueTime } from "./due.ts";
import { testKind, OneResource } from "./fleet.fixture.ts";
import { readKinds } from "./kind/fleet-kinds.ts";
import type { Resource } from "./resource.ts";
import { resourceJson } from "./resource-json.ts";

const KINDS = readKinds(DEFAULT_ENTITIES);
const ACTOR = { by: "me", now: 100 };

/** A resource of a default kind with children and referencing resources. */
function family(
  kindName: string,
  id: string,
  children: readonly ResourceTree[] = [],
  options: Partial<ResourceTree> = {},
): ResourceTree {
  const kind = KINDS.find(kindName);
  if (kind === undefined) throw new TypeError(`no kind ${kindName}`);
  const blank = { name: `n-${id}`, spec: {}, labels: {}, tenancy: {}, parent: undefined, basePath: "/v1" };
  const references = { x: [{ id: "t", kind: "Channel", href: "" }] };
  const decision = decideCreate({ ...blank, kind, id, references }, { by: "me", now: 1 });
  if (decision.kind === "refused") throw new TypeError("refused");
  return { kind, resource: decision.resource, statuses: [], children, referencers: [], ...options };
}

function ids(resources: readonly Resource[]): readonly string[] {
  return resources.map(({ id }) => id);
}

/** The same tree after a deletion request. */
function deleting(one: ResourceTree): ResourceTree {
  const decision = decideDelete(one, { by: "me", now: 50 });
  if (decision.kind !== "accepted") throw new TypeError(decision.kind);
  const marked = new Map(decision.marked.map((resource) => [resource.id, resource]));
  const apply = (member: ResourceTree): ResourceTree => {
    return {
      ...member,
      resource: marked.get(member.resource.id) ?? member.resource,
      children: member.children.map(apply),
    };
  };
  return apply(one);
}

/** A resource whose deletion was requested and that still exists. */
function deletedBefore(one: ResourceTree): ResourceTree {
  return { ...one, resource: { ...one.resource, deletion: { time: 50, by: "me" } } };
}

describe("a new resource", () => {
  test("starts at generation 1, below its parent's path", () => {
    const parent = family("Cluster", "c1").resource;
    const kind = KINDS.find("NodePool");
    if (kind === undefined) throw new TypeError("no kind");
    const blank = { kind, id: "n1", name: "np-1", spec: {}, labels: {}, references: {}, tenancy: {}, basePath: "/v1" };
    const decision = decideCreate({ ...blank, parent }, ACTOR);
    if (decision.kind === "refused") throw new TypeError("refused");
    const json = resourceJson(decision.resource);
    expect(json).toMatchObject({
      href: "/v1/clusters/c1/nodepools/n1",
      generation: 1,
      owner_references: { id: "c1", kind: "Cluster", href: "/v1/clusters/c1" },
      created_time: "1970-01-01T00:00:00.100Z",
      tenancy: {},
    });
    for (const absent of ["deleted_time", "deleted_by", "labels", "references"])
      expect(json).not.toHaveProperty(absent);
    const dying = deleting(family("Cluster", "c1")).resource;
    expect(decideCreate({ ...blank, parent: dying }, ACTOR)).toEqual({ kind: "refused", reason: "Finalizing" });
  });
});

describe("a change", () => {
  const one = new OneResource(testKind({ required_adapters: ["a"] }));
  const current = {
    kind: one.kind,
    resource: { ...one.resource, labels: { a: "1", b: "2" } },
    statuses: [],
    children: 0,
  };

  test("increments the generation and ends Ready at once", () => {
    const decision = decidePatch(current, { spec: { version: 9 } }, ACTOR);
    expect(decision).toMatchObject({ kind: "changed", resource: { generation: 2, updatedTime: 100, updatedBy: "me" } });
    expect(decidePatch(current, { labels: {} }, ACTOR)).toMatchObject({ resource: { generation: 2, labels: {} } });
    const references = { peer: [{ id: "x", kind: "Cluster", href: "" }] };
    expect(decidePatch(current, { references }, ACTOR)).toMatchObject({ resource: { generation: 2, references } });
  });

  test("without effect leaves everything unchanged", () => {
    const patch = { spec: { version: 0 }, labels: { b: "2", a: "1" }, references: {} };
    expect(decidePatch(current, patch, ACTOR)).toEqual({ kind: "unchanged", resource: current.resource });
  });

  test("is rejected while the resource is being deleted", () => {
    const { kind, resource } = deleting(family("Cluster", "c1"));
    const decision = decidePatch({ kind, resource, statuses: [], children: 0 }, { labels: {} }, ACTOR);
    expect(decision).toEqual({ kind: "refused", reason: "Finalizing" });
  });
});

describe("a deletion", () => {
  test("marks a resource and its children, and clears the references", () => {
    const decision = decideDelete(family("Cluster", "c", [family("NodePool", "p"), family("NodePool", "q")]), ACTOR);
    expect(decision).toMatchObject({
      kind: "accepted",
      resource: { id: "c", generation: 2, deletion: { time: 100, by: "me" }, updatedTime: 100, references: {} },
      removed: [],
    });
    if (decision.kind !== "accepted") throw new TypeError("refused");
    expect(ids(decision.marked)).toEqual(["p", "q", "c"]);
    expect(decision.marked.map(({ generation }) => generation)).toEqual([2, 2, 2]);
  });

  test("is idempotent", () => {
    const dying = deleting(family("Cluster", "c"));
    expect(decideDelete(dying, ACTOR)).toEqual({ kind: "unchanged", resource: dying.resource });
  });

  test("is rejected by an active child with restrict, and by referencing resources", () => {
    const channel = family("Channel", "ch", [family("Version", "v")]);
    expect(decideDelete(channel, ACTOR)).toMatchObject({ kind: "refused", reason: "ActiveChildren" });
    const referencers = [{ id: "c9", kind: "Cluster", href: "" }];
    const referenced = family("WifConfig", "w", [], { referencers });
    expect(decideDelete(referenced, ACTOR)).toMatchObject({
      reason: "Referenced",
      message: "cannot delete WifConfig: it is referenced by Cluster c9",
    });
    const inside = family("Cluster", "c", [family("NodePool", "p")], {
      referencers: [{ id: "p", kind: "NodePool", href: "" }],
    });
    expect(decideDelete(inside, ACTOR).kind).toBe("accepted");
  });

  test("of a kind without adapters completes at once, unless a child is still being deleted", () => {
    const alone = decideDelete(family("Channel", "ch"), ACTOR);
    expect(alone).toMatchObject({ kind: "accepted", marked: [], resource: { deletion: { time: 100 } } });
    expect(alone.kind === "accepted" && ids(alone.removed)).toEqual(["ch"]);
    const deletingChild = { ...family("NodePool", "p"), resource: deleting(family("NodePool", "p")).resource };
    const waiting = decideDelete(family("Channel", "ch", [deletingChild]), ACTOR);
    expect(waiting).toMatchObject({ kind: "accepted", removed: [] });
    expect(waiting.kind === "accepted" && ids(waiting.marked)).toEqual(["ch"]);
    const decision = decideDelete(family("Channel", "ch", [deletedBefore(family("Version", "v"))]), ACTOR);
    expect(decision.kind === "accepted" && ids(decision.removed)).toEqual(["v", "ch"]);
  });

  test("ignores Finalized of another generation or from before the deletion", () => {
    const one = new OneResource(testKind({ required_adapters: ["a"] }));
    one.report({ adapter: "a", available: "True", generation: 1, time: 1, finalized: "True" });
    expect(one.isGone).toBe(false);
    one.delete(10);
    one.report({ adapter: "a", available: "False", generation: 1, time: 11, finalized: "True" });
    expect(one.isGone).toBe(false);
    one.report({ adapter: "a", available: "False", generation: 2, time: 12, finalized: "False" });
    expect(one.isGone).toBe(false);
    one.report({ adapter: "a", available: "False", generation: 2, time: 13, finalized: "True" });
    expect(one.isGone).toBe(true);
  });

  test("by force requires a deletion in progress and a reason, and includes the children", () => {
    const dying = deleting(family("Cluster", "c", [family("NodePool", "p")]));
    expect(decideForceDelete(family("Cluster", "c"), "stuck")).toEqual({ kind: "refused", reason: "NotFinalizing" });
    expect(decideForceDelete(dying, "")).toMatchObject({ kind: "invalid", problems: [{ field: "reason" }] });
    expect(decideForceDelete(dying, undefined)).toMatchObject({ kind: "invalid" });
    expect(decideForceDelete(dying, "😀".repeat(1_025))).toMatchObject({ problems: [{ constraint: "max" }] });
    const decision = decideForceDelete(dying, "😀".repeat(1_024));
    expect(decision.kind === "accepted" && ids(decision.removed)).toEqual(["p", "c"]);
  });
});

describe("the next due time", () => {
  const kind = testKind({ required_adapters: ["a", "b"] });
  const [SHORT, LONG] = [DEFAULT_TTL.notReadyMs, DEFAULT_TTL.readyMs];
  const due = (one: OneResource, now: number, pulsedTime?: number) => {
    const statuses: readonly AdapterStatus[] = [...one.statuses.values()];
    const input = { kind: one.kind, resource: one.resource, statuses, pulsedTime, now, ttl: DEFAULT_TTL };
    return { time: dueTime(input), adapters: dueAdapters(input) };
  };

  test("is ten seconds after the last report of the oldest adapter, half an hour once it is Ready", () => {
    const one = new OneResource(kind);
    expect(due(one, 0).time).toBe(SHORT);
    one.report({ adapter: "a", available: "True", generation: 1, time: 5_000 });
    expect(due(one, SHORT)).toEqual({ time: SHORT, adapters: [] });
    expect(due(one, SHORT + 1)).toEqual({ time: SHORT, adapters: ["b"] });
    one.report({ adapter: "b", available: "True", generation: 1, time: 6_000 });
    expect(due(one, 7_000).time).toBe(5_000 + LONG);
    one.patch(8_000);
    expect(due(one, 8_000).time).toBe(8_000 + SHORT);
  });

  test("is delayed by progress, but not by a clock that is ahead", () => {
    const one = new OneResource(testKind({ required_adapters: ["a"] }));
    one.report({ adapter: "a", available: "Unknown", generation: 1, time: 9_000 });
    expect(due(one, 9_000).time).toBe(9_000 + SHORT);
    one.report({ adapter: "a", available: "Unknown", generation: 1, time: 200_000 });
    expect(due(one, 20_000).time).toBe(20_000 + SHORT);
  });

  test("is soon if the adapter could not determine the state, even while the resource is Ready", () => {
    const one = new OneResource(testKind({ required_adapters: ["a"] }));
    one.report({ adapter: "a", available: "True", generation: 1, time: 0 });
    one.report({ adapter: "a", available: "Unknown", health: "False", generation: 1, time: LONG });
    expect(due(one, LONG).time).toBe(LONG + SHORT);
    one.report({ adapter: "a", available: "Unknown", generation: 1, time: LONG + SHORT });
    expect(due(one, LONG + SHORT).time).toBe(2 * LONG + SHORT);
    one.report({ adapter: "a", available: "Unknown", health: "False", generation: 1, time: 2 * LONG });
    one.report({ adapter: "a", available: "True", generation: 1, time: 3 * LONG });
    expect(due(one, 3 * LONG).time).toBe(4 * LONG);
  });

  test("is soon again after an unanswered pulse", () => {
    const one = new OneResource(testKind({ required_adapters: ["a"] }));
    one.report({ adapter: "a", available: "True", generation: 1, time: 0 });
    expect(due(one, LONG + 5, LONG + 2).time).toBe(LONG + 2 + SHORT);
    expect(due(one, LONG + 5, LONG).time).toBe(LONG + SHORT);
  });

  test("is not soon for an adapter that has finalized a deletion", () => {
    const one = new OneResource(kind);
    one.children = 1;
    one.delete(1_000);
    one.report({ adapter: "a", available: "False", generation: 2, time: 2_000, finalized: "True" });
    expect(due(one, 2_000).time).toBe(1_000 + SHORT);
    one.report({ adapter: "b", available: "False", generation: 2, time: 3_000, finalized: "True" });
    expect(due(one, 3_000).time).toBe(2_000 + LONG);
  });

  test("is never for a kind without required adapters", () => {
    expect(due(new OneResource(testKind({})), 1e9).time).toBeUndefined();
  });
});
