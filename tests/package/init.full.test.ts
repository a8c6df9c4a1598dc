import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outsideEnvironment } from "../support/packed.ts";
import { runProcess, TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { LAUNCHER } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const INIT = ["init", "corner-shop", "--group", "shops.acme.dev"];

let place: Scratch;
let project: string;

function inProject(command: string, ...args: string[]): Promise<Ended> {
  return runProcess(command, { args, cwd: project, env: outsideEnvironment() });
}

/** Every file below a directory, with its text. */
async function filesIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(async (path) => [path.slice(directory.length), await readFile(path, "utf8")] as const);
  return new Map(await Promise.all(read));
}

describe("a project that levelset init makes from a clone", () => {
  beforeAll(async () => {
    place = await scratch();
    project = join(place.path, "corner-shop");
    const made = await runProcess(process.execPath, { args: [LAUNCHER, ...INIT], cwd: place.path });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^packing levelset .*\n$/u) });
    expect(await inProject("npm", "install", "--no-audit", "--no-fund")).toMatchObject({ code: 0 });
  }, 240_000);
  afterAll(() => place[Symbol.asyncDispose]());

  test("passes its tests and its check of types, and neither when its code is broken", async () => {
    const tests = await inProject("npm", "test");
    expect([tests.code, tests.stdout]).toEqual([0, expect.stringMatching(/Tests .*3 passed/u)]);
    expect(await inProject("npm", "run", "check")).toMatchObject({ code: 0 });
    const file = join(project, "src", "corner-shop.ts");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("spec.who}!", "spec.whom}!"));
    expect((await inProject("npm", "test")).code).toBe(1);
    expect((await inProject("npm", "run", "check")).stdout).toContain("'whom' does not exist");
    await writeFile(file, text);
  }, 60_000);

  test("runs its sample until it is ready, and says how to look at it", async () => {
    await using dev = new TestProcess("npm", { args: ["run", "dev"], cwd: project, env: outsideEnvironment() });
    await dev.says(/kubectl --kubeconfig \.levelset\/kubeconfig get cornershops -w/u);
    const [line] = await dev.says(/CornerShop default\/first {2}✓ ready {3}generation 1.*/u);
    expect(line).toContain("Ready ✓   GreetingReady ✓   SpecValid ✓");
    dev.signal("SIGINT");
    await dev.ended();
  }, 60_000);

  test("writes what a cluster needs, with rights for its children", async () => {
    expect(await inProject("npm", "run", "manifests")).toMatchObject({ code: 0 });
    expect(await readFile(join(project, "deploy", "rbac", "cluster.yaml"), "utf8")).toContain("configmaps");
    const image = await readFile(join(project, "deploy", "Dockerfile"), "utf8");
    expect(image).toContain('CMD ["run","src/corner-shop.ts"]');
    expect(image, "what installs the dependencies sees the vendor directory").toContain("COPY . .\nRUN npm ci");
  }, 60_000);

  test("can be made by the packed command too", async () => {
    const [ours, packed] = [join(place.path, "ours"), join(place.path, "packed")];
    await runProcess(process.execPath, { args: [LAUNCHER, ...INIT, "--published", "--dir", ours], cwd: place.path });
    expect(await inProject("npx", "--no", "levelset", ...INIT, "--dir", packed)).toMatchObject({ code: 0 });
    expect(await filesIn(packed)).toEqual(await filesIn(ours));
  }, 60_000);
});
