import { expect, test } from "vitest";
import { checkFlips, filled, overwrite, values } from "./damaged-file.fixture.ts";
import { openDatabase } from "./database.ts";
import type { Database } from "./database.ts";
import { Faults, TestFile } from "./file.fixture.ts";
import { SqliteStore } from "./store.ts";

test("a start that fails while it sets rows aside leaves a file that the next one opens with the same result", async () => {
  for (const when of ["before", "after"] as const) {
    for (let n = 1; ; n++) {
      using file = new TestFile();
      await filled(file);
      overwrite(file, "b-second", "X-second");
      const faults = new Faults();
      faults.failNth(n, when);
      const open = async (path: string): Promise<Database> => faults.watch(await openDatabase(path));
      const first = await file.open({ open }).catch((error: unknown) => error);
      if (first instanceof SqliteStore) first.close();
      const second = await file.open();
      const rows = second.quarantine.map(({ revision, key: of }) => [revision, of?.name]);
      expect([n, when, values(second), second.revision, rows]).toEqual([
        n,
        when,
        ["a-second", "c-second"],
        9,
        [[5, "b"]],
      ]);
      second.close();
      if (faults.calls < n) break;
    }
  }
}, 120_000);

test("whatever bits of rows flip, a file opens, serves what is true, and names what is not", async () => {
  expect(await checkFlips(300)).toBe(300);
}, 300_000);
