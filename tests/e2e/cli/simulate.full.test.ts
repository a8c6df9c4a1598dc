import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { runProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { levelset, start, stopped } from "./levelset-command.ts";
import { BUGGY, FIXED, program, simulationProject } from "./simulate-program.ts";

const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

test("the result of a simulation does not depend on the number of workers", async () => {
  await using project = await simulationProject(program("if (spec.text.length > 20) throw new TypeError('too long');"));
  const run = (workers: string): Promise<ProcessResult> =>
    levelset(
      project.path,
      "simulate",
      "operator.ts",
      "--seeds",
      "30",
      "--failures",
      "2",
      "-o",
      "json",
      "--workers",
      workers,
    );
  const one = await run("1");
  expect(one.code).toBe(3);
  expect(JSON.parse(one.stdout)).toMatchObject({ failures: [{ violation: { rule: "programming-error" } }, {}] });
  expect((await run("2")).stdout).toBe(one.stdout);
});

test("a written test fails while the bug exists, passes when it is fixed, and is not overwritten", async () => {
  await using project = await simulationProject(program(BUGGY));
  const cwd = project.path;
  const write = (...args: string[]): Promise<ProcessResult> =>
    levelset(cwd, "simulate", "operator.ts", "--seeds", "20", "--write-test", "seed.test.ts", ...args);
  const runTest = (): Promise<ProcessResult> =>
    runProcess(process.execPath, { args: ["-C", "levelset-source", VITEST, "run", "--root", cwd], cwd });
  await writeFile(join(cwd, "vite.config.ts"), CONFIG);
  const written = await write();
  expect(written.code).toBe(3);
  expect(written.stderr).toContain("test: seed.test.ts\n");
  expect(written.stderr).not.toContain("warning");
  const source = await readFile(join(cwd, "seed.test.ts"), "utf8");
  const failed = await runTest();
  expect([failed.code, failed.stdout + failed.stderr]).toEqual([
    1,
    expect.stringMatching(/SimulationError.*: path-changes-the-end/u),
  ]);
  await writeFile(join(cwd, "operator.ts"), program(FIXED));
  expect(await runTest()).toMatchObject({ code: 0 });
  expect(await write()).toMatchObject({ code: 2, stderr: expect.stringContaining("seed.test.ts exists\nhint: ") });
  expect(await readFile(join(cwd, "seed.test.ts"), "utf8")).toBe(source);
});

const CONFIG = `export default {
  resolve: { conditions: ["levelset-source", "node"] },
  ssr: { resolve: { conditions: ["levelset-source", "node"] } },
  test: { include: ["*.test.ts"] },
};
`;

test("module state does not survive a simulated process, so that a bug of a process is found, and a test is warned about", async () => {
  const exported = "BODY;\nconst written = new Set<string>()";
  await using project = await simulationProject(program(BUGGY, exported));
  const found = await levelset(project.path, "simulate", "operator.ts", "--seeds", "5", "--write-test", "a.test.ts");
  expect(found.code).toBe(3);
  expect(found.stderr).toContain("levelset: warning: a.test.ts passes although the rule is violated");
  // In a shared evaluation the second world would find the objects of the first one.
  await writeFile(join(project.path, "operator.ts"), program(FIXED, exported));
  expect(await levelset(project.path, "simulate", "operator.ts", "--seeds", "5")).toMatchObject({ code: 0 });
});

test("an endless loop is reported with its seed", async () => {
  await using project = await simulationProject(program("if (spec.text.length > 20) for (;;);"));
  const args = ["--seeds", "60", "--blocked-after", "5", "--workers", "2"];
  const found = await levelset(project.path, "simulate", "operator.ts", ...args);
  expect([found.code, found.stdout]).toEqual([
    3,
    expect.stringMatching(/^process-blocked \(defects\), seed \d+\n.*an endless loop/u),
  ]);
  expect(found.stdout).toMatch(/^replay: levelset simulate operator\.ts --seed \d+$/mu);
});

test("an exit of the process is reported with the end of its output", async () => {
  const body = "if (spec.text.length > 20) { console.error('Error: out of ideas'); process.exit(7); }";
  await using project = await simulationProject(program(body));
  const found = await levelset(project.path, "simulate", "operator.ts", "--seeds", "60");
  expect(found.code).toBe(3);
  expect(found.stdout).toContain("The process ended (exit code 7): Error: out of ideas\n");
});

test("an unhandled rejection is a failure, of a step or while the program is loaded", async () => {
  await using project = await simulationProject(program("void Promise.reject(new Error('it was lost'));"));
  const run = (): Promise<ProcessResult> => levelset(project.path, "simulate", "operator.ts", "--seeds", "2");
  const found = await run();
  expect([found.code, found.stdout]).toEqual([
    3,
    expect.stringMatching(/^programming-error \(defects\), seed 1\n.* in step Write: it was lost\n/u),
  ]);
  const awaits = "\nawait Promise.resolve();\nvoid Promise.reject(new Error('of the module'));\n";
  await writeFile(join(project.path, "operator.ts"), program(FIXED) + awaits);
  const loaded = await run();
  expect([loaded.code, loaded.stdout]).toEqual([
    3,
    expect.stringMatching(
      /^process-ended \(defects\), seed 1\n {2}found {5}An unhandled rejection .*: of the module\n/u,
    ),
  ]);
});

test("the network is refused, and the report names the hosts", async () => {
  const body = "await fetch('https://api.example.com/a').catch((error: Error) => { status.text = error.message; });";
  await using project = await simulationProject(program(body));
  const { code, stderr } = await levelset(project.path, "simulate", "operator.ts", "--seeds", "2");
  expect(code).toBe(0);
  expect(stderr).toContain("the operator tried to reach api.example.com: a simulation has no network");
});

test.each([["--minutes", "0.5"] as const, ["--blocked-after", "6"] as const])(
  "a failure that is found is reported although %s ends its shrinking",
  async (...limit) => {
    // Throws in the processes of the first history that fails, and does not return in those of smaller ones.
    const body = `const world = globalThis as { starts?: number; failed?: number };
      if (spec.text.length > 20) {
        const failed = (world.failed ??= world.starts ?? 0);
        if ((world.starts ?? 0) > failed + 25) for (;;);
        throw new TypeError("too long");
      }`;
    const exported =
      "() => { const written = new Set(); const g = globalThis as { starts?: number }; g.starts = (g.starts ?? 0) + 1; return BODY; }";
    await using project = await simulationProject(program(body, exported));
    const found = await levelset(project.path, "simulate", "operator.ts", "--workers", "1", ...limit);
    expect([found.code, found.stdout]).toEqual([
      3,
      expect.stringMatching(/^programming-error \(defects\), seed \d+\n[^]*\nreplay: .* --replay \S+json\n/u),
    ]);
  },
);

test("Ctrl-C ends the workers and prints what was covered", async () => {
  await using project = await simulationProject(program(FIXED));
  await using running = start(project.path, "simulate", "operator.ts", "--seeds", "100000", "--workers", "2");
  await running.untilOutput(/of 100000 histories/u);
  expect(await stopped(running)).toBe(130);
  expect(running.output).toMatch(
    /\d+ histor(?:y|ies) in \d+ worlds, no failure, .*\n\nCovered:\n[^]*\nended early: stopped\n/u,
  );
});
