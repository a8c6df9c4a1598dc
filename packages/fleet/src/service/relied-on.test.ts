import { describe, expect, test } from "vitest";
import type { ChangeSet, FleetStore, Stored } from "../store/index.ts";
import { MUTATIONS, openWorld } from "./world.fixture.ts";

/** What a mutation has read, and what it then committed. */
interface Witnessed {
  readonly read: Set<string>;
  readonly changes: ChangeSet[];
}

/** A store that remembers which resources were read, and what was committed. */
function witness(store: FleetStore, { read, changes }: Witnessed): FleetStore {
  const note = <T extends Stored>(stored: readonly T[]): readonly T[] => {
    for (const { resource } of stored) read.add(resource.id);
    return stored;
  };
  const watched: Pick<FleetStore, "load" | "loadAll" | "family" | "commit"> = {
    load: async (key) => {
      const found = await store.load(key);
      note(found === undefined ? [] : [found]);
      return found;
    },
    loadAll: async (ids) => note(await store.loadAll(ids)),
    family: async (key) => {
      const found = await store.family(key);
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

describe("every resource that a decision relied on is in its change, exactly once:", () => {
  // One that is discarded changes nothing, and so relies on nothing.
  const names = Object.keys(MUTATIONS).filter((name) => name !== "a report that is discarded");

  test.each(names)("%s", async (name) => {
    const world = await openWorld();
    const mutate = await MUTATIONS[name]?.(world, world.fleetOn(world.store));
    const seen: Witnessed = { read: new Set(), changes: [] };
    await mutate?.(world.fleetOn(witness(world.store, seen)));
    const [change] = seen.changes;
    expect(seen.changes).toHaveLength(1);
    const ids = change === undefined ? [] : idsIn(change);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(expect.arrayContaining([...seen.read]));
    await world.store.close();
  });
});
