import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDirectoryInRepository } from "../../tests/support/temp-directory.ts";
import { runProcess } from "../../tests/support/test-process.ts";
import { runTests } from "./run-tests.ts";
import type { TestOutcome } from "./test-outcome.ts";

/** Test files that take the branch `second` from their second run on. */
const file = (imports: string, first: string, second: string): string => `
  import { existsSync, writeFileSync } from "node:fs";
  import { expect, test } from "vitest";
  ${imports}
  const marker = import.meta.filename + ".ran";
  const isFirst = !existsSync(marker);
  writeFileSync(marker, "");
  if (isFirst) { ${first} } else { ${second} }
`;
const PASS = `test("holds", () => {});`;
const FAIL = `test("holds", () => expect(1).toBe(2));`;

test("a test that passes only the second time is flaky, and the other files run once", async () => {
  const { outcome, stored, runs } = await run({
    "flaky.test.ts": file(`import "node:net";`, FAIL, PASS),
    "once.test.ts": file("", PASS, FAIL),
  });
  expect(outcome).toMatchObject({ isPassed: true, passed: 2, failed: [] });
  expect(outcome?.flaky).toEqual([{ file: "flaky.test.ts", name: "holds", isPure: false }]);
  expect(stored).toEqual(outcome);
  expect(runs).toBe(2);
});

test("a flaky pure test, a test that fails twice and an error after a test fail the run", async () => {
  const { outcome } = await run({
    "twice.test.ts": file("", FAIL, FAIL),
    "loads-later.test.ts": file("", `throw new Error("cannot load");`, PASS),
    "unhandled.test.ts": `import { test } from "vitest"; test("rejects", () => void Promise.reject(new Error("a late error")));`,
  });
  expect(outcome?.isPassed).toBe(false);
  expect(outcome?.failed.toSorted()).toEqual([
    "twice.test.ts > holds",
    "unhandled.test.ts > (outside its tests): a late error",
  ]);
  expect(outcome?.flaky).toEqual([{ file: "loads-later.test.ts", name: "", isPure: true, message: "cannot load" }]);
  expect(outcome?.unhandledErrors).toEqual([]);
});

test("an error after a test that occurs only once is a flaky failure of its file", async () => {
  const { outcome, runs } = await run({
    "late.test.ts": file(
      `import "node:net";`,
      `test("holds", () => { void Promise.reject(new Error("a late error")); });`,
      PASS,
    ),
  });
  expect(outcome).toMatchObject({ isPassed: true, passed: 1, failed: [], unhandledErrors: [] });
  expect(outcome?.flaky).toEqual([{ file: "late.test.ts", name: "", isPure: false, message: "a late error" }]);
  expect(runs).toBe(2);
});

test("files that a killed worker did not finish run again, and its end fails the run", async () => {
  const { outcome } = await run({
    "vitest.config.ts": "export default { test: { isolate: false, maxWorkers: 1 } };",
    "a-killed.test.ts": file("", `test("holds", () => { process.kill(process.pid, "SIGKILL"); });`, PASS),
    "b-never-started.test.ts": file("", PASS, PASS),
  });
  expect(outcome).toMatchObject({ isPassed: false, passed: 2, failed: [], skipped: [] });
  expect(outcome?.flaky.map(({ file: path, name }) => [path, name])).toEqual([
    ["a-killed.test.ts", ""],
    ["b-never-started.test.ts", ""],
  ]);
  expect(outcome?.unhandledErrors).toEqual([expect.stringContaining("a-killed.test.ts")]);
});

test("a run without a report leaves no older outcome, and a rerun without one keeps the failures of the first", async () => {
  const broken = { "vitest.config.ts": `throw new Error("cannot load");`, "a.test.ts": FAIL };
  expect(await run(broken)).toMatchObject({ outcome: undefined, stored: undefined });
  const once = file("", FAIL, `process.kill(process.ppid, "SIGKILL");`);
  const { outcome, stored, runs } = await run({ "once.test.ts": once, "other.test.ts": file("", PASS, FAIL) });
  expect(outcome).toMatchObject({ isPassed: false, passed: 1, failed: ["once.test.ts > holds"], flaky: [] });
  expect(stored).toEqual(outcome);
  expect(runs).toBe(2);
});

async function run(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly outcome: TestOutcome | undefined; readonly stored: unknown; readonly runs: number }> {
  await using directory = await tempDirectoryInRepository();
  const root = directory.path;
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  let runs = 0;
  const outcomePath = join(root, "outcome.json");
  await writeFile(outcomePath, `{ "isPassed": true }`);
  const outcome = await runTests({
    root,
    scope: [],
    outcomePath,
    run: async (command, args, options) => {
      runs += 1;
      return (await runProcess(command, { args, ...options })).code === 0;
    },
  });
  const stored: unknown = existsSync(outcomePath) ? JSON.parse(await readFile(outcomePath, "utf8")) : undefined;
  return { outcome, stored, runs };
}
