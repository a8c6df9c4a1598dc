import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "levelset-modules-"))));
afterEach(() => rm(directory, { recursive: true }));

/** Evaluates `program` twice in a process of its own, because the hooks stay installed. */
async function evaluateTwice(program: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const script = `
    import { FreshModules } from ${JSON.stringify(new URL("fresh-modules.ts", import.meta.url).href)};
    const modules = new FreshModules(${JSON.stringify(join(directory, program))});
    const counts = [modules.evaluate(), modules.evaluate()].flatMap((count) => [count(), count()]);
    console.log(counts.join(" "));`;
  const args = ["--no-warnings", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}

test("module state is new in each evaluation, also in imported files, and shared by packages", async () => {
  const shared = join(directory, "node_modules", "shared");
  await mkdir(shared, { recursive: true });
  await writeFile(join(shared, "package.json"), '{"name": "shared", "type": "module", "exports": "./index.js"}');
  await writeFile(join(shared, "index.js"), "let calls = 0;\nexport const call = () => ++calls;\n");
  const counts = await evaluateTwice("program.ts", {
    "package.json": '{"type": "module"}',
    "state.ts": "export const seen: Set<string> = new Set();\n",
    "program.ts": `
      import { call } from "shared";
      import { seen } from "./state.ts";
      let own: number = 0;
      export default (): string => { seen.add(String(own)); own += 1; return [own, seen.size, call()].join(","); };`,
  });
  expect(counts).toBe("1,1,1 2,2,2 1,1,3 2,2,4");
});

test("the state of CommonJS modules is new, too", async () => {
  const counts = await evaluateTwice("program.js", {
    "package.json": "{}",
    "state.js": "exports.seen = new Set();\n",
    "program.js": `
      const { seen } = require("./state.js");
      module.exports = () => { seen.add(seen.size); return seen.size; };`,
  });
  expect(counts).toBe("1 2 1 2");
});

test("a module with top-level await cannot be evaluated synchronously", async () => {
  const files = { "package.json": '{"type": "module"}', "program.js": "await null;\nexport default () => 1;\n" };
  await expect(evaluateTwice("program.js", files)).rejects.toThrow("ERR_REQUIRE_ASYNC_MODULE");
});
