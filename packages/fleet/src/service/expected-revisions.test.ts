import { describe, expect, test } from "vitest";
import type { ChangeSet, FleetStore, StoredResource } from "../store/index.ts";
import { MUTATIONS, openTestWorld } from "./world.fixture.ts";

/** The resources that a mutation read, and its commits. */
interface Recorded {
  readonly read: Set<string>;
  readonly changes: ChangeSet[];
}

/** A store that records reads and commits. */
function recordingStore(store: FleetStore, { read, changes }: Recorded): FleetStore {
  const note = <T extends StoredResource>(stored: readonly T[]): readonly T[] => {
    for (const { resource } of stored) read.add(resource.id);
    return stored;
  };
  const watched: Pick<FleetStore, "load" | "loadAll" | "loadTree" | "commit"> = {
    load: async (key) => {
      const found = await store.load(key);
      note(found === undefined ? [] : [found]);
      return found;
    },
    loadAll: async (ids) => note(await store.loadAll(ids)),
    loadTree: async (key) => {
      const found = await store.loadTree(key);
      note(found?.members ?? []);
      return found;
    },
    commit: (change) => {
      changes.push(change);
      return store.commit(change);
    },
  };
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = name in watched ? Reflect.get(watched, name) : Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function idsIn({ created = [], updated = [], touched = [], removed = [] }: ChangeSet): readonly string[] {
  const resources = [...created, ...[...updated, ...removed].map(({ resource }) => resource)];
  return [...resources.map(({ id }) => id), ...touched.map(({ id }) => id)];
}

describe("every resource that a decision relied on is in its change exactly once:", () => {
  // A discarded report changes no resource and relies on none.
  const names = Object.keys(MUTATIONS).filter((name) => name !== "a report that is discarded");

  test.each(names)("%s", async (name) => {
    const world = await openTestWorld();
    const mutate = await MUTATIONS[name]?.(world, world.fleetOn(world.store));
    const seen: Recorded = { read: new Set(), changes: [] };
    await mutate?.(world.fleetOn(recordingStore(world.store, seen)));
    const [change] = seen.changes;
    expect(seen.changes).toHaveLength(1);
    const ids = change === undefined ? [] : idsIn(change);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(expect.arrayContaining([...seen.read]));
    await world.store.close();
  });
});
