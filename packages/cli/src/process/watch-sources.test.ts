import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchSources } from "./watch-sources.ts";

let directory: string;
let stop: AbortController;
let changes: AsyncGenerator<string, void, undefined>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "levelset-watch-"));
  await mkdir(join(directory, "steps"));
  for (const file of ["a.ts", "steps/b.ts"]) await writeFile(join(directory, file), "");
  stop = new AbortController();
  changes = watchSources(directory, { clock: realClock, signal: stop.signal });
});
afterEach(async () => {
  stop.abort();
  await changes.return();
  await rm(directory, { recursive: true });
});

/** Runs an action and returns the next change. */
async function changedBy(act: () => Promise<unknown>): Promise<string | undefined> {
  const next = changes.next();
  await act();
  const { value } = await next;
  return value ?? undefined;
}

/** Replaces a file by renaming a new one, like editors with atomic saves. */
async function replace(file: string): Promise<void> {
  await writeFile(join(directory, `${file}.tmp`), "new");
  await rename(join(directory, `${file}.tmp`), join(directory, file));
}

describe("a source change", () => {
  test("is reported each time a file is replaced", async () => {
    for (let time = 0; time < 3; time++) {
      expect(await changedBy(() => replace("a.ts"))).toBe("a.ts");
      expect(await changedBy(() => replace("steps/b.ts"))).toBe(join("steps", "b.ts"));
    }
    expect(await changedBy(() => writeFile(join(directory, "a.ts"), "in place"))).toBe("a.ts");
  });

  test("is reported for new files and directories", async () => {
    expect(await changedBy(() => writeFile(join(directory, "c.yaml"), ""))).toBe("c.yaml");
    const made = changedBy(async () => {
      await mkdir(join(directory, "deep", "er"), { recursive: true });
      await writeFile(join(directory, "deep", "er", "d.ts"), "");
    });
    expect(await made).toBe(join("deep", "er", "d.ts"));
    expect(await changedBy(() => replace(join("deep", "er", "d.ts")))).toBe(join("deep", "er", "d.ts"));
  });

  test("is reported if it happens while the previous one is processed", async () => {
    expect(await changedBy(() => replace("a.ts"))).toBe("a.ts");
    await replace("steps/b.ts");
    expect((await changes.next()).value).toBe(join("steps", "b.ts"));
  });

  test("is not reported for other files and ignored directories", async () => {
    const reported = changedBy(async () => {
      await writeFile(join(directory, "notes.txt"), "");
      for (const name of ["node_modules", "dist", ".levelset"]) {
        await mkdir(join(directory, name));
        await writeFile(join(directory, name, "x.json"), "{}");
      }
      await replace("a.ts");
    });
    expect(await reported).toBe("a.ts");
  });
});

test("watchSources ends when the signal aborts", async () => {
  const next = changes.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
