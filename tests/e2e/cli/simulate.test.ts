import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { levelset } from "./levelset-command.ts";
import { BUGGY, FIXED, program, simulationProject } from "./simulate-program.ts";

test("levelset simulate finds a bug, writes its story, and its replay says when the bug is fixed", async () => {
  await using project = await simulationProject(program(BUGGY));
  const cwd = project.path;
  const found = await levelset(
    cwd,
    "simulate",
    "operator.ts",
    "--seeds",
    "20",
    "--workers",
    "1",
    "--html",
    "page.html",
  );
  expect(found.code).toBe(3);
  expect(found.stderr).toContain("samples: sample.yaml\n");
  const [, story = ""] = /^replay: levelset simulate operator\.ts --replay (\S+)$/mu.exec(found.stdout) ?? [];
  expect(found.stdout).toMatch(
    /^path-changes-the-end \(converges\), seed \d+\n {2}found {5}Note default\/a: status\.text/u,
  );
  expect(found.stdout).toMatch(
    /\n\d+ histor(?:y|ies) in \d+ worlds, 1 failure, [\d.]+\/s\n\nCovered:\n {2}phases {11}1\/1\n/u,
  );
  expect(JSON.parse(await readFile(join(cwd, story), "utf8"))).toMatchObject({
    version: 1,
    file: "operator.ts",
    rule: "path-changes-the-end",
    events: expect.arrayContaining([
      { atMs: 0, kind: "operation", text: 'a user creates Note default/a {"text":"hello"}' },
    ]),
  });
  const why = /\n\nWhat levelset why says at 4\dm:\n {2}Note default\/a +Ready {3}generation \d, observed \d\n/u;
  expect(found.stdout).toMatch(why);
  expect(await readFile(join(cwd, "page.html"), "utf8")).toMatch(
    /path-changes-the-end[^]*What levelset why says at [^]*>Note default\/a</u,
  );

  const violated = await levelset(cwd, "simulate", "operator.ts", "--replay", story);
  expect(violated.code).toBe(3);
  expect(violated.stdout).toMatch(/^1\. +0 ms {2}a user creates Note default\/a \{"text":"hello"\}\n +· /u);
  expect(violated.stdout).toContain("\npath-changes-the-end is violated.\n");
  expect(violated.stdout).toMatch(why);
  const json = await levelset(cwd, "simulate", "operator.ts", "--replay", story, "-o", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({ why: { objects: [{ kind: "Note", name: "a", state: "ready" }] } });

  await writeFile(join(cwd, "operator.ts"), program(FIXED));
  const fixed = await levelset(cwd, "simulate", "operator.ts", "--replay", story);
  expect([fixed.code, fixed.stdout]).toEqual([
    0,
    expect.stringMatching(/\npath-changes-the-end is fixed: the case violates no rule\.\n$/u),
  ]);
});

test("levelset simulate refuses files that are no stories, no programs, and unknown rules", async () => {
  await using project = await simulationProject("");
  const cwd = project.path;
  await writeFile(join(cwd, "garbage.json"), "garbage");
  const simulate = (...args: string[]): ReturnType<typeof levelset> =>
    levelset(cwd, "simulate", "operator.ts", ...args);
  expect(await simulate("--replay", "garbage.json")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^levelset: garbage\.json is not JSON\nhint: pass a file that levelset simulate/u),
  });
  for (const source of ["export default 7;\n", "export const named = 7;\n"]) {
    await writeFile(join(cwd, "operator.ts"), source);
    expect(await simulate("--workers", "1")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^levelset: operator\.ts has no default export with an operator/u),
    });
  }
  expect(await simulate("--ignore", "everything")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the rules are faults-change-the-end, "),
  });
});
