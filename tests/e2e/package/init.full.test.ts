import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { externalProjectEnv } from "../../support/npm-pack.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";

const INIT = ["init", "corner-shop", "--group", "shops.acme.dev"];

let place: TempDirectory;
let project: string;

function inProject(command: string, ...args: string[]): Promise<ProcessResult> {
  return runProcess(command, { args, cwd: project, env: externalProjectEnv() });
}

/** Returns every file below a directory with its text. */
async function filesIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(async (path) => [path.slice(directory.length), await readFile(path, "utf8")] as const);
  return new Map(await Promise.all(read));
}

describe("a project that levelset init creates from a clone", () => {
  beforeAll(async () => {
    place = await tempDirectory();
    project = join(place.path, "corner-shop");
    const made = await runProcess(process.execPath, { args: [LAUNCHER, ...INIT], cwd: place.path });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^packing levelset .*\n$/u) });
    expect(await inProject("npm", "install", "--no-audit", "--no-fund")).toMatchObject({ code: 0 });
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test("passes its tests and its type check, and fails both if its code is broken", async () => {
    const tests = await inProject("npm", "test");
    expect([tests.code, tests.stdout]).toEqual([0, expect.stringMatching(/Tests .*3 passed/u)]);
    expect(await inProject("npm", "run", "check")).toMatchObject({ code: 0 });
    const file = join(project, "src", "corner-shop.ts");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("spec.who}!", "spec.whom}!"));
    expect((await inProject("npm", "test")).code).toBe(1);
    expect((await inProject("npm", "run", "check")).stdout).toContain("'whom' does not exist");
    await writeFile(file, text);
  });

  test("reconciles its sample until it is ready, and prints how to inspect it", async () => {
    await using dev = new TestProcess("npm", { args: ["run", "dev"], cwd: project, env: externalProjectEnv() });
    await dev.untilOutput(/kubectl --kubeconfig \.levelset\/kubeconfig get cornershops -w/u);
    const [line] = await dev.untilOutput(/CornerShop default\/first {2}✓ Ready {3}generation 1.*/u);
    expect(line).toContain("Ready ✓   GreetingReady ✓   SpecValid ✓");
    dev.signal("SIGINT");
    await dev.untilExit();
  });

  test("writes deployment manifests with RBAC rules for its children", async () => {
    expect(await inProject("npm", "run", "manifests")).toMatchObject({ code: 0 });
    expect(await readFile(join(project, "deploy", "rbac", "cluster.yaml"), "utf8")).toContain("configmaps");
    const image = await readFile(join(project, "deploy", "Dockerfile"), "utf8");
    expect(image).toContain('CMD ["run","src/corner-shop.ts"]');
    expect(image, "the vendor directory is copied before npm ci runs").toContain("COPY . .\nRUN npm ci");
  });

  test("can be created by the packed command too", async () => {
    const [ours, packed] = [join(place.path, "ours"), join(place.path, "packed")];
    await runProcess(process.execPath, { args: [LAUNCHER, ...INIT, "--published", "--dir", ours], cwd: place.path });
    expect(await inProject("npx", "--no", "levelset", ...INIT, "--dir", packed)).toMatchObject({ code: 0 });
    expect(await filesIn(packed)).toEqual(await filesIn(ours));
  });
});
