import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatStoryFile } from "@levelset/simulation/internal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoryDirectory } from "./story-directory.ts";

let cwd: string;
let stories: StoryDirectory;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-stories-"));
  stories = new StoryDirectory(cwd);
});
afterEach(() => rm(cwd, { recursive: true }));

function textOf(seed: number, message = "It stays."): string {
  return formatStoryFile({
    levelset: "0.1.0",
    file: "operator.ts",
    violation: { rule: "left-behind", message, expected: "It is gone." },
    case: { seed, history: { operations: [] }, faults: [] },
    events: [],
  });
}

/** Writes a file of the directory, `second` seconds after the epoch. */
async function write(name: string, text: string, second = 0): Promise<void> {
  const path = join(cwd, ".levelset", "simulation", name);
  await mkdir(join(cwd, ".levelset", "simulation"), { recursive: true });
  await writeFile(path, text);
  await utimes(path, second, second);
}

test("a directory without stories is empty", async () => {
  expect(await stories.list()).toEqual({
    directory: join(".levelset", "simulation"),
    stories: [],
    left: 0,
    unreadable: [],
  });
});

test("the newest stories are listed first, and only a limited number", async () => {
  for (let seed = 0; seed < 103; seed += 1) await write(`seed-${seed}.json`, textOf(seed), seed);
  const list = await stories.list();
  expect(list.stories.map(({ seed }) => seed)).toEqual(Array.from({ length: 100 }, (_, index) => 102 - index));
  expect(list.left).toBe(3);
  expect(list.stories[0]?.writtenAt).toBe("1970-01-01T00:01:42.000Z");
});

test("a file that is written again is read again", async () => {
  await write("seed-1.json", textOf(1, "before"), 1);
  expect((await stories.list()).stories.map(({ message }) => message)).toEqual(["before"]);
  expect((await stories.read("seed-1")).message).toBe("before");
  await write("seed-1.json", textOf(1, "after!"), 2);
  expect((await stories.list()).stories.map(({ message }) => message)).toEqual(["after!"]);
  expect((await stories.read("seed-1")).message).toBe("after!");
});

test("files that are not stories are reported with the field, and large files are not read", async () => {
  await write("seed-1.json", textOf(1), 9);
  await write("a.json", '{"version":1}', 3);
  await write("b.json", "garbage", 2);
  await write("large.json", " ".repeat(2 * 1024 * 1024 + 1), 1);
  const list = await stories.list();
  expect(list.stories.map(({ name }) => name)).toEqual(["seed-1"]);
  expect(list.unreadable.map(({ message }) => message.replaceAll("\\", "/"))).toEqual([
    ".levelset/simulation/a.json is not a story: case: not an object",
    ".levelset/simulation/b.json is not JSON",
    ".levelset/simulation/large.json is larger than 2 MiB",
  ]);
  await expect(stories.read("large")).rejects.toThrow("large.json is larger than 2 MiB");
  await expect(stories.read("a")).rejects.toThrow("a.json is not a story: case: not an object");
});

test("only regular files of the directory with plain names are stories", async () => {
  await write("seed-1.json", textOf(1));
  await write("notes.txt", textOf(2));
  await write(".hidden.json", textOf(3));
  await write("with space.json", textOf(4));
  await writeFile(join(cwd, "outside.json"), textOf(5));
  await symlink(join(cwd, "outside.json"), join(cwd, ".levelset", "simulation", "link.json"));
  await mkdir(join(cwd, ".levelset", "simulation", "folder.json"));
  expect((await stories.list()).stories.map(({ seed }) => seed)).toEqual([1]);
  for (const name of ["../../outside", "..\\..\\outside", "link", "folder", ".hidden", "with space", "", "seed-2"]) {
    await expect(stories.read(name)).rejects.toThrow("does not exist");
  }
});
