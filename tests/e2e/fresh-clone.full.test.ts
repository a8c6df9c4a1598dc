import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../support/test-process.ts";
import { ROOT } from "../support/repository.ts";
import { tempDirectory } from "../support/temp-directory.ts";
import type { TempDirectory } from "../support/temp-directory.ts";

let directory: TempDirectory;
let clone: string;

/** Environment of a new user: an empty home, the machine's Node and npm, no checkout on the PATH. */
function newcomer(): Record<string, string | undefined> {
  const inherited = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  const npm = Object.keys(process.env).filter((name) => name.startsWith("npm_") || name.startsWith("VITEST"));
  const unset = Object.fromEntries(npm.map((name) => [name, undefined]));
  return {
    ...unset,
    PATH: inherited.join(delimiter),
    HOME: join(directory.path, "home"),
    NODE_OPTIONS: undefined,
    NODE_ENV: undefined,
  };
}

describe("a fresh clone in an empty home", () => {
  beforeAll(async () => {
    directory = await tempDirectory();
    clone = join(directory.path, "levelset");
    await mkdir(join(directory.path, "home"));
    expect(await runProcess("git", { args: ["clone", "--quiet", ROOT, clone], cwd: directory.path })).toMatchObject({
      code: 0,
    });
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  /**
   * Starts, waits for a reconciled object, and stops. Returns whether the kubeconfig existed before and after the stop.
   */
  async function startOnce(): Promise<readonly [boolean, boolean]> {
    await using start = new TestProcess("npm", { args: ["start"], cwd: clone, env: newcomer() });
    await start.untilOutput(/kubeconfig {2}\.levelset\/kubeconfig/u);
    await start.untilOutput(/kubectl --kubeconfig \.levelset\/kubeconfig get simples -w/u);
    await start.untilOutput(/Simple default\/ten-by-five {2}✓ Ready {3}generation 1/u);
    const kubeconfig = join(clone, ".levelset", "kubeconfig");
    const before = existsSync(kubeconfig);
    start.signal("SIGINT");
    await start.untilExit();
    return [before, existsSync(kubeconfig)];
  }

  test("npm start installs missing dependencies and reconciles an object", async () => {
    expect(await startOnce()).toEqual([true, false]);
  });

  test("npm start works again, and Ctrl-C ends it each time", async () => {
    expect(await startOnce()).toEqual([true, false]);
  });

  test("npm test runs, from the first check to the first suite", async () => {
    const args = ["test", "--", "packages/core/src/condition"];
    const { code, stdout, stderr } = await runProcess("npm", { args, cwd: clone, env: newcomer() });
    expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/Tests .*passed/u)]);
  });

  test("the two commands leave no changes in git", async () => {
    const { stdout } = await runProcess("git", { args: ["status", "--porcelain"], cwd: clone });
    expect(stdout).toBe("");
  });
});
