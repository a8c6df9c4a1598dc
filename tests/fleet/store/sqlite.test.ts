import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { silentLogger } from "@levelset/core";
import {
  EVERY_TENANT,
  migrateStore,
  openStore,
  SCHEMA_VERSION,
  StoreUnavailable,
  StoreUnusable,
} from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { SqlStore } from "../../../packages/fleet/src/store/sql-store.ts";
import { SqliteEngine } from "../../../packages/fleet/src/store/sqlite/sqlite-engine.ts";
import { SQLITE } from "../../../packages/fleet/src/store/dialect.ts";
import { scratch } from "../../support/scratch.ts";
import { describeStore } from "./contract.ts";
import { cluster, create, entryOf, loaded, report } from "./draft.ts";
import { FaultyDatabase } from "./faulty-database.ts";
import { WORLD } from "./harness.ts";
import { fill, smallStatements } from "./small-statements.ts";

describeStore("SQLite", () => ({
  open: () => openStore({ kind: "sqlite", path: ":memory:" }, WORLD),
  [Symbol.asyncDispose]: async () => {},
}));

describe("a file of SQLite", () => {
  const openIn = (directory: string): Promise<FleetStore> => {
    return openStore({ kind: "sqlite", path: join(directory, "fleet.db") }, WORLD);
  };

  test("has everything when it is opened again, and is its owner's alone", async () => {
    await using directory = await scratch();
    const first = await openIn(directory.path);
    await create(first, cluster("a"));
    await first.commit(await report(first, "a", "dns", 2_000));
    const before = await loaded(first, "a");
    const position = await first.feedEnd();
    await first.close();
    await using second = await openIn(directory.path);
    expect(await loaded(second, "a")).toEqual(before);
    expect(await second.feedEnd()).toBe(position);
    expect(statSync(join(directory.path, "fleet.db")).mode & 0o777).toBe(0o600);
  });

  test("that was put back to an earlier copy sends those away who have seen more", async () => {
    await using ahead = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    await create(ahead, cluster("a"), cluster("b"));
    await using behind = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    await create(behind, cluster("a"));
    const after = await ahead.feedEnd();
    expect(await behind.feed({ scope: EVERY_TENANT, after, limit: 10 })).toEqual({ kind: "expired" });
  });

  test("belongs to one process at a time", async () => {
    await using directory = await scratch();
    await using first = await openIn(directory.path);
    await expect(openIn(directory.path)).rejects.toThrow(StoreUnusable);
    await expect(openIn(directory.path)).rejects.toThrow(/in use by another process/);
    await create(first, cluster("a"));
  });

  test("takes what waits with it when it is closed, and nothing after that", async () => {
    await using directory = await scratch();
    const store = await openIn(directory.path);
    const change = { entry: entryOf(cluster("a")), created: [cluster("a")] };
    const waiting = store.commit(change);
    await store.close();
    expect(await waiting).toEqual({ kind: "committed" });
    await expect(store.ping()).rejects.toThrow(StoreUnavailable);
    await expect(store.commit(change)).rejects.toThrow(StoreUnavailable);
  });

  test("of another program, of a newer levelset, or that is none, is refused and left as it is", async () => {
    await using directory = await scratch();
    const path = (name: string): string => join(directory.path, name);
    const open = (name: string): Promise<FleetStore> => openStore({ kind: "sqlite", path: path(name) }, WORLD);
    const other = new DatabaseSync(path("other"));
    other.exec("CREATE TABLE theirs (id INTEGER)");
    other.close();
    await expect(open("other")).rejects.toThrow(/another program/);
    expect(await migrateStore({ kind: "sqlite", path: path("newer") }, WORLD)).toEqual({ from: 0, to: SCHEMA_VERSION });
    const newer = new DatabaseSync(path("newer"));
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    newer.close();
    await expect(open("newer")).rejects.toThrow(/newer levelset/);
    writeFileSync(
      path("none"),
      "this is no database, but long enough to look at as one, and it goes on and on ".repeat(20),
    );
    await expect(open("none")).rejects.toThrow(/damaged/);
    await expect(open("absent/fleet.db")).rejects.toThrow(StoreUnusable);
  });

  test("is as it was answered, whichever call fails; what was not answered can be sent again", async () => {
    for (const when of ["before", "after"] as const) {
      for (let n = 1; ; n += 1) {
        const faults = new FaultyDatabase();
        const engine = await SqliteEngine.open({ path: ":memory:", logger: silentLogger, open: faults.open });
        await using store = new SqlStore(engine, WORLD);
        await create(store, cluster("a"));
        const changes = [
          await report(store, "a", "dns", 2_000),
          { entry: entryOf(cluster("b")), created: [cluster("b")] },
          { entry: entryOf(cluster("a2", { name: "a" })), created: [cluster("a2", { name: "a" })] },
        ];
        faults.failNth(n, when);
        const outcomes = await Promise.allSettled(changes.map((change) => store.commit(change)));
        const isOver = faults.heal();
        const again = await Promise.all(changes.map((change) => store.commit(change)));
        expect([n, when, again.map(({ kind }) => kind)]).toEqual([n, when, ["committed", "committed", "taken"]]);
        const answers = outcomes.map((outcome) => {
          return outcome.status === "fulfilled" ? outcome.value : outcome.reason instanceof StoreUnavailable;
        });
        expect([n, when, answers]).toEqual([
          n,
          when,
          again.map((answer, index) => (answers[index] === true ? true : answer)),
        ]);
        expect((await loaded(store, "a")).revision).toBe(2);
        expect((await store.journal({ scope: EVERY_TENANT, limit: 10 })).length).toBe(3);
        if (isOver) break;
      }
    }
  });

  test("takes the changes of one turn in one transaction", async () => {
    await using store = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    const before = store.statements;
    const many = Array.from({ length: 100 }, (_, index) => cluster(`r${index}`));
    await Promise.all(many.map((resource) => store.commit({ entry: entryOf(resource), created: [resource] })));
    expect(store.statements - before).toBe(102);
  });

  test("is not walked through for a small answer, however large the fleet is", async () => {
    await using directory = await scratch();
    const store = await openIn(directory.path);
    await fill(store);
    await store.trim({ reportsPerResource: 10, auditBefore: 0, answersBefore: 0, removedBefore: 0 });
    await store.close();
    const database = new DatabaseSync(join(directory.path, "fleet.db"));
    for (const [name, { text }] of smallStatements(SQLITE)) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll("$", "?")}`).all();
      // Lists that were given, and what was found before, are walked through; tables are not.
      const walks = plan
        .map(({ detail }) => String(detail))
        .filter((detail) =>
          /^SCAN (?:r|c|s|x|w|resources|resource_\w+|due_work|journal|changes|adapter_statuses)\b(?! USING (?:COVERING )?INDEX (?:resources_kind|journal_audit))/.test(
            detail,
          ),
        );
      expect([name, walks]).toEqual([name, []]);
    }
    database.close();
  });
});
