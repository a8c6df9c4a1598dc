import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadProgram } from "./load-program.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-load-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PARTS = `
  const start = async () => {};
  const operator = (name) => ({ name, kinds: [], rbac: {}, createController: () => {}, start });
  const manager = (operators, options) => ({ name: "m", operators, options, start });
  const other = { name: "other", start };
`;

function load(name: string, exported: string): ReturnType<typeof loadProgram> {
  writeFileSync(join(root, name), `${PARTS}\nexport default ${exported};\n`);
  return loadProgram(name, root);
}

const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe("a program", () => {
  test("contains the exported operators, alone or in a manager, and other runnables", async () => {
    const { operators, others, options } = await load(
      "all.mjs",
      `[operator("a"), manager([operator("b"), operator("c")], { graceMs: 7 }), other]`,
    );
    expect([names(operators), names(others), options]).toEqual([["a", "b", "c"], ["other"], { graceMs: 7 }]);
  });

  test("has at most one manager", async () => {
    await expect(load("two.mjs", "[manager([], {}), manager([], {})]")).rejects.toThrow(
      "two.mjs exports 2 managers; only one is allowed per process",
    );
  });

  test("is refused if an exported item cannot be run", async () => {
    await expect(load("odd.mjs", `[operator("a"), 5]`)).rejects.toThrow("has no default export with an operator");
  });
});
