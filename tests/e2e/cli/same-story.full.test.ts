import { mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packPackages, unpack } from "../../support/npm-pack.ts";
import { downloadOldestNode } from "../../support/oldest-node.ts";
import { LAUNCHER } from "../../support/repository.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import { runProcess } from "../../support/test-process.ts";
import { BUGGY, program, simulationProject } from "./simulate-program.ts";

/** Where and how the command runs. */
interface Machine {
  readonly node: string;
  readonly launcher: string;
  readonly workers: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a simulation prints and writes. */
interface Result {
  readonly text: string;
  readonly page: string;
  readonly stories: readonly string[];
}

const HERE: Machine = {
  node: process.execPath,
  launcher: LAUNCHER,
  workers: "1",
  env: { TZ: "UTC", LANG: "C", LC_ALL: "C" },
};
/** Another time zone by three quarters of an hour, and a language with other rules for letters and numbers. */
const ELSEWHERE = { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };

let project: TempDirectory;
let here: Result;
beforeAll(async () => {
  // It does not handle a value that the schema allows, and writes only the first text of an object.
  const body = `if (spec.text === "b") throw new TypeError("too short: " + spec.text.length / 3);\n${BUGGY}`;
  project = await simulationProject(program(body));
  here = await simulateOn(HERE);
});
afterAll(() => project[Symbol.asyncDispose]());

async function simulateOn({ node, launcher, workers, env }: Machine): Promise<Result> {
  const limits = ["--seeds", "40", "--failures", "3", "--workers", workers];
  const args = [launcher, "simulate", "operator.ts", ...limits, "--html", "page.html"];
  const { code, stdout, stderr } = await runProcess(node, { args, cwd: project.path, env });
  if (code !== 3) throw new Error(`the simulation ends with code ${code}:\n${stdout}${stderr}`);
  // The speed is that of the machine.
  const text = stdout.replace(/, [\d.]+\/s$/mu, "");
  const files = [...text.matchAll(/--replay (\S+)$/gmu)].map(([, file = ""]) => join(project.path, file));
  return {
    text,
    page: await readFile(join(project.path, "page.html"), "utf8"),
    stories: await Promise.all(files.map((file) => readFile(file, "utf8"))),
  };
}

test("the stories are of several bugs, with explanations", () => {
  expect(here.stories).toHaveLength(3);
  expect(here.text).toMatch(/^programming-error /mu);
  expect(here.text).toMatch(/^path-changes-the-end /mu);
  expect(here.text.match(/^What levelset why says at /gmu)).toHaveLength(3);
});

test("a seed has the same story in another time zone and language, with another number of workers", async () => {
  expect(await simulateOn({ ...HERE, workers: "3", env: ELSEWHERE })).toEqual(here);
});

test("a seed has the same story with the published packages, on the oldest Node that they promise", async () => {
  const packed = join(project.path, "packed");
  await mkdir(packed);
  // Other packages are found in the repository, which contains the project.
  const modules = join(project.path, "node_modules");
  for (const file of await packPackages(packed)) {
    const [, scope, name] = /^(?:(levelset)-(?=[a-z]))?([a-z]+)-\d/u.exec(basename(file)) ?? [];
    await unpack(file, join(modules, ...(scope === undefined ? [] : [`@${scope}`]), name ?? ""));
  }
  const launcher = join(modules, "levelset", "bin", "levelset.cjs");
  const node = await downloadOldestNode(project.path);
  expect(await simulateOn({ node, launcher, workers: "2", env: ELSEWHERE })).toEqual(here);
});
