import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { silentLogger } from "@levelset/core";
import { EVERY_TENANT, SCHEMA_VERSION, StoreUnavailableError, StoreUnusableError } from "@levelset/fleet/server";
import { migrateStore, openStore } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { SqlStore } from "../../../packages/fleet/src/store/sql-store.ts";
import { SqliteEngine } from "../../../packages/fleet/src/store/sqlite/sqlite-engine.ts";
import { SQLITE_DIALECT } from "../../../packages/fleet/src/store/dialect.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { describeStore } from "./contract.ts";
import { cluster, create, entryOf, mustLoad, report } from "./fixtures.ts";
import { FaultyDatabase } from "./faulty-database.ts";
import { WORLD } from "./harness.ts";
import { fill, indexedStatements } from "./indexed-statements.ts";

describeStore("SQLite", () => ({
  open: () => openStore({ kind: "sqlite", path: ":memory:" }, WORLD),
  [Symbol.asyncDispose]: async () => {},
}));

describe("a SQLite file", () => {
  const openIn = (directory: string): Promise<FleetStore> => {
    return openStore({ kind: "sqlite", path: join(directory, "fleet.db") }, WORLD);
  };

  test("contains all data when reopened, and is readable only by its owner", async () => {
    await using directory = await tempDirectory();
    const first = await openIn(directory.path);
    await create(first, cluster("a"));
    await first.commit(await report(first, "a", "dns", 2_000));
    const before = await mustLoad(first, "a");
    const position = await first.feedEnd();
    await first.close();
    await using second = await openIn(directory.path);
    expect(await mustLoad(second, "a")).toEqual(before);
    expect(await second.feedEnd()).toBe(position);
    expect(statSync(join(directory.path, "fleet.db")).mode & 0o777).toBe(0o600);
  });

  test("restored from an older copy expires newer feed positions", async () => {
    await using ahead = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    await create(ahead, cluster("a"), cluster("b"));
    await using behind = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    await create(behind, cluster("a"));
    const after = await ahead.feedEnd();
    expect(await behind.feed({ scope: EVERY_TENANT, after, limit: 10 })).toEqual({ kind: "expired" });
  });

  test("is locked by one process at a time", async () => {
    await using directory = await tempDirectory();
    await using first = await openIn(directory.path);
    await expect(openIn(directory.path)).rejects.toThrow(StoreUnusableError);
    await expect(openIn(directory.path)).rejects.toThrow(/in use by another process/);
    await create(first, cluster("a"));
  });

  test("completes pending changes when it is closed, and refuses later ones", async () => {
    await using directory = await tempDirectory();
    const store = await openIn(directory.path);
    const change = { entry: entryOf(cluster("a")), created: [cluster("a")] };
    const waiting = store.commit(change);
    await store.close();
    expect(await waiting).toEqual({ kind: "committed" });
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    await expect(store.commit(change)).rejects.toThrow(StoreUnavailableError);
  });

  test("of another program, of a newer levelset, or without a database, is refused and left unchanged", async () => {
    await using directory = await tempDirectory();
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
    await expect(open("absent/fleet.db")).rejects.toThrow(StoreUnusableError);
  });

  test("matches the acknowledged changes, whichever call fails; unacknowledged changes can be repeated", async () => {
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
        const isOver = faults.disarm();
        const again = await Promise.all(changes.map((change) => store.commit(change)));
        expect([n, when, again.map(({ kind }) => kind)]).toEqual([n, when, ["committed", "committed", "duplicate"]]);
        const answers = outcomes.map((outcome) => {
          return outcome.status === "fulfilled" ? outcome.value : outcome.reason instanceof StoreUnavailableError;
        });
        expect([n, when, answers]).toEqual([
          n,
          when,
          again.map((result, index) => (answers[index] === true ? true : result)),
        ]);
        expect((await mustLoad(store, "a")).revision).toBe(2);
        expect((await store.journal({ scope: EVERY_TENANT, limit: 10 })).length).toBe(3);
        if (isOver) break;
      }
    }
  });

  test("commits the changes of one turn in one transaction", async () => {
    await using store = await openStore({ kind: "sqlite", path: ":memory:" }, WORLD);
    const before = store.statements;
    const many = Array.from({ length: 100 }, (_, index) => cluster(`r${index}`));
    await Promise.all(many.map((resource) => store.commit({ entry: entryOf(resource), created: [resource] })));
    expect(store.statements - before).toBe(102);
  });

  test("is not scanned for a small result, however large the fleet is", async () => {
    await using directory = await tempDirectory();
    const store = await openIn(directory.path);
    await fill(store);
    await store.trim({ reportsPerResource: 10, auditBefore: 0, answersBefore: 0, removedBefore: 0 });
    await store.close();
    const database = new DatabaseSync(join(directory.path, "fleet.db"));
    for (const [name, { text }] of indexedStatements(SQLITE_DIALECT)) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll("$", "?")}`).all();
      // Passed lists and intermediate results are scanned; tables are not.
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
