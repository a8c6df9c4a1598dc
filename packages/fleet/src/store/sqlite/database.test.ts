import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@levelset/core";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import type { Database } from "./database.ts";
import { SqliteEngine } from "./sqlite-engine.ts";

test("a parameter is bound by number: in any order, repeatedly, or not at all", async () => {
  const database = await openDatabase(":memory:");
  const [row] = database.rows("SELECT $2 AS b, $1 AS a, $2 || $12 AS c", [1, "x", ...Array(9).fill(null), "y"]);
  expect({ ...row }).toEqual({ a: 1, b: "x", c: "xy" });
  database.close();
});

test("every connection that a store opens flushes to disk at each commit", async () => {
  const directory = mkdtempSync(join(tmpdir(), "levelset-fleet-"));
  // 2 is FULL. Checks a new file and a reopened one.
  for (let start = 0; start < 2; start++) {
    const opened: Database[] = [];
    const open = async (path: string): Promise<Database> => {
      const database = await openDatabase(path);
      opened.push(database);
      return database;
    };
    const engine = await SqliteEngine.open({ path: join(directory, "fleet.db"), logger: silentLogger, open });
    const settings = opened.map((database) =>
      ["synchronous", "journal_mode"].map((name) => database.rows(`PRAGMA ${name}`)[0]?.[name]),
    );
    expect(settings).toEqual([[2, "wal"]]);
    await engine.close();
  }
  rmSync(directory, { recursive: true });
});
