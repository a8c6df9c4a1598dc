import { expect, test } from "vitest";
import { checkFlips, filled, overwrite, values } from "./damaged-file.fixture.ts";
import { openDatabase } from "./database.ts";
import type { SqliteConnection } from "./database.ts";
import { Faults, TestFile } from "./file.fixture.ts";
import { SqliteStore } from "./sqlite-store.ts";

test("after a start that failed during quarantine, the next start opens the file with the same result", async () => {
  for (const when of ["before", "after"] as const) {
    for (let n = 1; ; n++) {
      using file = new TestFile();
      await filled(file);
      overwrite(file, "b-second", "X-second");
      const faults = new Faults();
      faults.failNth(n, when);
      const open = async (path: string): Promise<SqliteConnection> => faults.watch(await openDatabase(path));
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
});

test("a file with flipped bits opens, serves only correct objects, and reports the damaged ones", async () => {
  expect(await checkFlips(300)).toBe(300);
});
