import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteStore } from "@levelset/apiserver";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runShell } from "../../terminal/shell.fixture.ts";
import type { CommandOutput } from "../../terminal/shell.fixture.ts";

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "levelset-check-"));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const check = (...args: readonly string[]): Promise<CommandOutput> => runShell({ cwd }, "apiserver", "check", ...args);

/** A data file with two ConfigMaps. */
async function dataFile(): Promise<string> {
  const path = join(cwd, "levelset.db");
  const store = await SqliteStore.open({ path });
  for (const name of ["a", "b"]) {
    const metadata = {
      name,
      namespace: "default",
      uid: name,
      creationTimestamp: "2026-01-01T00:00:00Z",
      resourceVersion: "",
    };
    const key = { resource: "configmaps", namespace: "default", name };
    await store.create(key, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { k: `the value of ${name}` } });
  }
  store.close();
  return path;
}

test("an intact file is reported as intact, by its path or that of its directory", async () => {
  const path = await dataFile();
  for (const data of ["levelset.db", "./"]) {
    const { stdout, code } = await check("--data", data);
    expect([stdout, code]).toEqual([`${path}: 2 intact rows, latest revision 3\nNo damaged rows.\n`, 0]);
  }
});

test("a damaged row is listed with its object before and after its quarantine", async () => {
  const path = await dataFile();
  const bytes = readFileSync(path);
  bytes.write("X", bytes.indexOf("the value of b"));
  writeFileSync(path, bytes);
  const before = await check("--data", "levelset.db");
  expect([before.code, before.stdout.split("\n")]).toEqual([
    1,
    [
      `${path}: 1 intact rows, latest revision 3`,
      "",
      "REVISION  RESOURCE    NAMESPACE  NAME  STATE  QUARANTINED        REASON",
      "3         configmaps  default    b     lost   at the next start  checksum mismatch",
      "",
    ],
  ]);
  (await SqliteStore.open({ path })).close();
  const after = await check("--data", "levelset.db", "-o", "json");
  const row = { revision: 3, resource: "configmaps", namespace: "default", name: "b", state: "lost" };
  expect([after.code, JSON.parse(after.stdout)]).toEqual([
    1,
    {
      path,
      revision: 3,
      intactRows: 1,
      quarantined: [{ ...row, reason: "checksum mismatch" }],
      damaged: [],
    },
  ]);
});

test("a missing file or one that is not a database is a usage error", async () => {
  await expect(check()).rejects.toThrow("--data is missing");
  await expect(check("--data", "none.db")).rejects.toThrow("no such file");
  writeFileSync(join(cwd, "text.db"), "not a database, and long enough".repeat(200));
  await expect(check("--data", "text.db")).rejects.toMatchObject({ name: "InputError", message: /is damaged/u });
});
