import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { externalProjectEnv, packPackages } from "../../support/npm-pack.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";

const SAMPLE =
  "{apiVersion: examples.levelset.dev/v1beta1, kind: Simple, metadata: {name: a}, spec: {dividend: 10, divisor: 5}}";

let project: TempDirectory;
let packed: readonly string[];

/** Runs a command in the project, with the current Node as the only one. */
function inProject(command: string, ...args: string[]): Promise<ProcessResult> {
  return runProcess(command, { args, cwd: project.path, env: externalProjectEnv() });
}

/** Returns the first block of TypeScript in the README. */
async function operatorOfReadme(): Promise<string> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const code = readme.match(/```ts.*\n([^]*?)```/u)?.[1];
  if (code === undefined) throw new Error("the README shows no TypeScript");
  return code;
}

describe("the packed packages, installed into an empty project", () => {
  beforeAll(async () => {
    project = await tempDirectory();
    packed = await packPackages(project.path);
    await writeFile(
      join(project.path, "package.json"),
      JSON.stringify({ name: "newcomer", type: "module", private: true }),
    );
    const installed = await inProject("npm", "install", "--no-audit", "--no-fund", ...packed);
    expect(installed).toMatchObject({ code: 0 });
    await writeFile(join(project.path, "simple.ts"), await operatorOfReadme());
    await writeFile(join(project.path, "sample.yaml"), SAMPLE);
  });
  afterAll(() => project[Symbol.asyncDispose]());

  test("npx levelset works", async () => {
    const { code, stdout } = await inProject("npx", "--no", "levelset", "--version");
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/u)]);
  });

  test("the README's operator runs and reconciles an object until it is ready", async () => {
    const args = ["--no", "levelset", "dev", "simple.ts", "--apply", "sample.yaml"];
    await using dev = new TestProcess("npx", { args, cwd: project.path, env: externalProjectEnv() });
    const [line] = await dev.untilOutput(/Simple default\/a {2}✓ Ready.*/u);
    expect(line).toContain("generation 1   Ready ✓   InputReady ✓");
    dev.signal("SIGINT");
    await dev.untilExit();
  });

  test("a fleet runs, and the packed client reads it", async () => {
    const args = ["--no", "levelset", "fleet", "dev", "--memory"];
    await using dev = new TestProcess("npx", { args, cwd: project.path, env: externalProjectEnv() });
    const [, url = ""] = await dev.untilOutput(/API +(\S+)/u);
    expect(await inProject("npx", "--no", "levelset", "create", "cluster", "eu-1")).toMatchObject({ code: 0 });
    await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready/u);
    const script = `import { FleetClient, readyOf } from "@levelset/fleet/client";
const clusters = new FleetClient({ url: "${url}" }).collection({ kind: "Cluster", plural: "clusters" });
for await (const cluster of clusters.list()) console.log(cluster.name, readyOf(cluster)?.status);`;
    await writeFile(join(project.path, "list.mjs"), script);
    expect(await inProject("node", "list.mjs")).toMatchObject({ code: 0, stdout: "eu-1 True\n" });
    dev.signal("SIGINT");
    await dev.untilExit();
  });

  test("the README's operator compiles against the declarations; an unknown field does not", async () => {
    const options = {
      strict: true,
      module: "nodenext",
      target: "es2024",
      noEmit: true,
      types: [],
      skipLibCheck: false,
    };
    await writeFile(
      join(project.path, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["simple.ts"] }),
    );
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    expect(await inProject(tsc, "-p", ".")).toMatchObject({ code: 0, stdout: "" });
    const wrong = (await operatorOfReadme()).replace("spec.divisor === 0", "spec.divider === 0");
    await writeFile(join(project.path, "simple.ts"), wrong);
    expect(await inProject(tsc, "-p", ".")).toMatchObject({
      stdout: expect.stringContaining("'divider' does not exist"),
    });
    await writeFile(join(project.path, "simple.ts"), await operatorOfReadme());
  });

  test("the operator runs in a directory built by the steps of the generated Dockerfile", async () => {
    const written = await inProject("npx", "--no", "levelset", "manifests", "simple.ts", "--out", "deploy");
    expect(written).toMatchObject({ code: 0 });
    const dockerfile = await readFile(join(project.path, "deploy", "Dockerfile"), "utf8");
    const line = (word: string): string => dockerfile.match(new RegExp(`^${word} (.*)$`, "mu"))?.[1] ?? "";
    await using image = await tempDirectory();
    // The files of COPY, and the packed packages instead of those in a registry.
    for (const file of ["package.json", "package-lock.json", "simple.ts", ...packed.map((path) => basename(path))]) {
      await copyFile(join(project.path, file), join(image.path, file));
    }
    const inImage = (command: string, ...args: string[]): Promise<ProcessResult> =>
      runProcess(command, { args, cwd: image.path, env: { ...externalProjectEnv(), NODE_ENV: "production" } });
    expect(await inImage("sh", "-c", line("RUN"))).toMatchObject({ code: 0 });
    const [command = "", ...args] = JSON.parse(line("ENTRYPOINT")) as readonly string[];
    const { code, stdout, stderr } = await inImage(command, ...args, "crd", "print", "simple.ts");
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("simples.examples.levelset.dev")]);
  });
});
