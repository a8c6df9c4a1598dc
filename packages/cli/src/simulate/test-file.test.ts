import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeTest } from "./test-file.ts";

const story = {
  violation: { rule: "hot-loop", message: "It loops.", expected: "It rests." },
  case: { seed: 1, faults: [], history: { operations: [] } },
} as const;
const inputs = { samples: [], ignore: [] };

test("only the owner can read a written test, because it has the samples with their Secrets", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "levelset-"));
  const modeOf = async (path: string): Promise<number> => (await stat(join(cwd, path))).mode & 0o777;
  try {
    await writeTest({ ...story, file: "operator.ts" }, inputs, { path: "new.test.ts", force: false, cwd });
    expect(await modeOf("new.test.ts")).toBe(0o600);
    await writeFile(join(cwd, "old.test.ts"), "old", { mode: 0o644 });
    await writeTest({ ...story, file: "operator.ts" }, inputs, { path: "old.test.ts", force: true, cwd });
    expect(await modeOf("old.test.ts")).toBe(0o600);
  } finally {
    await rm(cwd, { recursive: true });
  }
});

test("a written test imports the program by a relative path, also from a hidden directory", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "levelset-"));
  try {
    for (const [file, specifier] of [
      [".hidden/op.ts", "./.hidden/op.ts"],
      ["..op.ts", "./..op.ts"],
      ["../op.ts", "../op.ts"],
    ]) {
      await writeTest({ ...story, file: file ?? "" }, inputs, { path: "a.test.ts", force: true, cwd });
      expect(await readFile(join(cwd, "a.test.ts"), "utf8")).toContain(`import program from "${specifier}";\n`);
    }
  } finally {
    await rm(cwd, { recursive: true });
  }
});
