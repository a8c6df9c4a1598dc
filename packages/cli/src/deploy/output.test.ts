import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeOutput } from "./output.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-output-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const careful = { force: false };
const files = [
  { path: "a.yaml", text: "a: 1\n" },
  { path: "rbac/b.yaml", text: "b: 1\n" },
];
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("an output directory", () => {
  test("comes to be, and writing the same again changes nothing", async () => {
    const directory = join(root, "deep", "base");
    expect(await writeOutput(directory, files, careful)).toEqual({ written: ["a.yaml", "rbac/b.yaml"], removed: [] });
    const first = readFileSync(join(directory, "rbac/b.yaml"), "utf8");
    expect(first).toMatch(/^# Written by levelset manifests.* [\da-f]{16}\nb: 1\n$/u);
    await writeOutput(directory, files, careful);
    expect(readFileSync(join(directory, "rbac/b.yaml"), "utf8")).toBe(first);
  });

  test("loses what an earlier run wrote and this one does not, and nothing else", async () => {
    await writeOutput(root, files, careful);
    writeFileSync(join(root, "rbac", "mine.yaml"), "mine: 1\n");
    expect(await writeOutput(root, files.slice(0, 1), careful)).toEqual({
      written: ["a.yaml"],
      removed: ["rbac/b.yaml"],
    });
    expect(readdirSync(join(root, "rbac"))).toEqual(["mine.yaml"]);
  });

  test.each([
    ["somebody else wrote", () => writeFileSync(join(root, "rbac", "b.yaml"), "b: 2\n")],
    ["somebody changed", () => writeFileSync(join(root, "rbac", "b.yaml"), `${text("rbac/b.yaml")}c: 1\n`)],
  ])("keeps a file that %s, and then nothing is written, unless forced", async (_who, change) => {
    await writeOutput(root, files, careful);
    change();
    const before = [text("a.yaml"), text("rbac/b.yaml")];
    const newer = files.map((file) => ({ ...file, text: "new: 1\n" }));
    await expect(writeOutput(root, newer, careful)).rejects.toThrow(/changed since: rbac\/b\.yaml$/u);
    expect([text("a.yaml"), text("rbac/b.yaml")]).toEqual(before);
    await writeOutput(root, newer, { force: true });
    expect([text("a.yaml"), text("rbac/b.yaml")]).toEqual(newer.map(() => expect.stringMatching(/new: 1\n$/u)));
  });

  test("that cannot be written to is an error with a hint", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(writeOutput(join(root, "file"), files, careful)).rejects.toMatchObject({
      hint: "choose another --out",
    });
    mkdirSync(join(root, "a.yaml"));
    await expect(writeOutput(root, files, careful)).rejects.toThrow("did not write");
  });
});
