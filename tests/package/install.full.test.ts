import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outsideEnvironment, packInto } from "../support/packed.ts";
import { runProcess, TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const SAMPLE =
  "{apiVersion: examples.levelset.dev/v1beta1, kind: Simple, metadata: {name: a}, spec: {dividend: 10, divisor: 5}}";

let project: Scratch;
let packed: readonly string[];

/** Runs a command in the project, with our Node as the only one. */
function inProject(command: string, ...args: string[]): Promise<Ended> {
  return runProcess(command, { args, cwd: project.path, env: outsideEnvironment() });
}

/** The first block of TypeScript in the README: what a newcomer copies. */
async function operatorOfReadme(): Promise<string> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const code = readme.match(/```ts.*\n([^]*?)```/u)?.[1];
  if (code === undefined) throw new Error("the README shows no TypeScript");
  return code;
}

describe("the packed packages, installed into an empty project", () => {
  beforeAll(async () => {
    project = await scratch();
    packed = await packInto(project.path);
    await writeFile(
      join(project.path, "package.json"),
      JSON.stringify({ name: "newcomer", type: "module", private: true }),
    );
    const installed = await inProject("npm", "install", "--no-audit", "--no-fund", ...packed);
    expect(installed).toMatchObject({ code: 0 });
    await writeFile(join(project.path, "simple.ts"), await operatorOfReadme());
    await writeFile(join(project.path, "sample.yaml"), SAMPLE);
  }, 180_000);
  afterAll(() => project[Symbol.asyncDispose]());

  test("npx levelset works", async () => {
    const { code, stdout } = await inProject("npx", "--no", "levelset", "--version");
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/u)]);
  });

  test("the README's operator runs and brings an object to ready", async () => {
    const args = ["--no", "levelset", "dev", "simple.ts", "--apply", "sample.yaml"];
    await using dev = new TestProcess("npx", { args, cwd: project.path, env: outsideEnvironment() });
    const [line] = await dev.says(/Simple default\/a {2}✓ ready.*/u);
    expect(line).toContain("generation 1   Ready ✓   InputReady ✓");
    dev.signal("SIGINT");
    await dev.ended();
  }, 60_000);

  test("a fleet runs, and the packed client reads it", async () => {
    const args = ["--no", "levelset", "fleet", "dev", "--memory"];
    await using dev = new TestProcess("npx", { args, cwd: project.path, env: outsideEnvironment() });
    const [, url = ""] = await dev.says(/API +(\S+)/u);
    expect(await inProject("npx", "--no", "levelset", "create", "cluster", "eu-1")).toMatchObject({ code: 0 });
    await dev.says(/cluster\/eu-1 {2}✓ ready/u);
    const script = `import { FleetClient, readyOf } from "@levelset/fleet/client";
const clusters = new FleetClient({ url: "${url}" }).collection({ kind: "Cluster", plural: "clusters" });
for await (const cluster of clusters.list()) console.log(cluster.name, readyOf(cluster)?.status);`;
    await writeFile(join(project.path, "list.mjs"), script);
    expect(await inProject("node", "list.mjs")).toMatchObject({ code: 0, stdout: "eu-1 True\n" });
    dev.signal("SIGINT");
    await dev.ended();
  }, 60_000);

  test("the README's operator compiles against the declarations, and a wrong field does not", async () => {
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
  }, 60_000);

  test("what levelset manifests writes into a Dockerfile makes a place where the operator runs", async () => {
    const written = await inProject("npx", "--no", "levelset", "manifests", "simple.ts", "--out", "deploy");
    expect(written).toMatchObject({ code: 0 });
    const dockerfile = await readFile(join(project.path, "deploy", "Dockerfile"), "utf8");
    const line = (word: string): string => dockerfile.match(new RegExp(`^${word} (.*)$`, "mu"))?.[1] ?? "";
    await using image = await scratch();
    // What COPY takes, and the packed packages, which a registry would have.
    for (const file of ["package.json", "package-lock.json", "simple.ts", ...packed.map((path) => basename(path))]) {
      await copyFile(join(project.path, file), join(image.path, file));
    }
    const inImage = (command: string, ...args: string[]): Promise<Ended> =>
      runProcess(command, { args, cwd: image.path, env: { ...outsideEnvironment(), NODE_ENV: "production" } });
    expect(await inImage("sh", "-c", line("RUN"))).toMatchObject({ code: 0 });
    const [command = "", ...args] = JSON.parse(line("ENTRYPOINT")) as readonly string[];
    const { code, stdout, stderr } = await inImage(command, ...args, "crds", "simple.ts");
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("simples.examples.levelset.dev")]);
  }, 60_000);
});
