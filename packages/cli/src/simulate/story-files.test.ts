import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStoryName } from "@levelset/console";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readStory, STORY_DIRECTORY, writeStory } from "./story-files.ts";
import type { SeedFailure } from "./worker-message.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-stories-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const failure: SeedFailure = {
  kind: "case",
  seed: 7,
  violation: { rule: "hot-loop", message: "It loops.", expected: "It rests." },
  case: { seed: 7, faults: [], history: { operations: [] } },
  shownCase: { seed: 7, faults: [], history: { operations: [] } },
  events: [],
  drawn: { operations: 0, faults: 0 },
};

async function write(file: string): Promise<string> {
  return (await writeStory(failure, { file, samples: undefined, ignore: [] }, cwd)) ?? "";
}

test("stories of two programs in one directory are kept, and a program replaces its own", async () => {
  const first = await write("a.ts");
  const second = await write("b.ts");
  expect(first).toBe(join(STORY_DIRECTORY, "seed-7.json"));
  expect([await write("./a.ts"), await write("./b.ts")]).toEqual([first, second]);
  expect((await readStory(first, cwd)).file).toBe("./a.ts");
  expect((await readStory(second, cwd)).file).toBe("./b.ts");
  const names = (await readdir(join(cwd, STORY_DIRECTORY))).map((name) => name.replace(".json", ""));
  expect(names.length).toBe(2);
  expect(names.filter(isStoryName)).toEqual(names);
});

test("only the owner can read a story, because it has the samples with their Secrets", async () => {
  expect((await stat(join(cwd, await write("a.ts")))).mode & 0o777).toBe(0o600);
});
