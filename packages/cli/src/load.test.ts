import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadProgram } from "./load.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-load-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PARTS = `
  const start = async () => {};
  const operator = (name) => ({ name, kinds: [], needs: {}, control: () => {}, start });
  const manager = (operators, options) => ({ name: "m", operators, options, start });
  const other = { name: "other", start };
`;

function load(name: string, exported: string): ReturnType<typeof loadProgram> {
  writeFileSync(join(root, name), `${PARTS}\nexport default ${exported};\n`);
  return loadProgram(name, root);
}

const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe("a program", () => {
  test("is the operators that a file exports, alone or in a manager, and what else can be started", async () => {
    const { operators, others, options } = await load(
      "all.mjs",
      `[operator("a"), manager([operator("b"), operator("c")], { graceMs: 7 }), other]`,
    );
    expect([names(operators), names(others), options]).toEqual([["a", "b", "c"], ["other"], { graceMs: 7 }]);
  });

  test("has one manager at most, for one process has one", async () => {
    await expect(load("two.mjs", "[manager([], {}), manager([], {})]")).rejects.toThrow(
      "two.mjs exports 2 managers, but one process has one",
    );
  });

  test("is refused when something in the list cannot be run", async () => {
    await expect(load("odd.mjs", `[operator("a"), 5]`)).rejects.toThrow("does not export an operator by default");
  });
});
