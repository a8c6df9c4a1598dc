import { copyFile, mkdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { findAssets } from "../../tools/envtest/index.ts";
import { runProcess } from "../support/test-process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { tempDirectory } from "../support/temp-directory.ts";
import type { ShellEnvironment } from "./terminal.ts";

/**
 * Initial directory of a reader: a fresh clone, as after `git clone`; a clone with installed dependencies; or the
 * project from the end of the first chapter of the guide.
 */
export type StartingPoint = "fresh clone" | "clone" | "project";

/** The environment of a reader; disposal deletes it. */
export interface ReaderMachine extends AsyncDisposable {
  readonly shellEnvironment: ShellEnvironment;
}

/** Entries of a clone, linked into a separate directory so that concurrent tests do not share state files. */
const LINKED = ["examples", "packages", "node_modules", "docs", "tools", "package.json", "package-lock.json"];

/**
 * Creates an environment with an empty home directory, the Node and npm of the system, and kubectl. The npm cache is
 * shared.
 */
export async function createReaderMachine(start: StartingPoint): Promise<ReaderMachine> {
  const directory = await tempDirectory();
  const [home, stateDirectory] = [join(directory.path, "home"), join(directory.path, "state")];
  const [cwd, runtime] = [join(directory.path, "work"), join(directory.path, "run")];
  await Promise.all([mkdir(home), mkdir(stateDirectory), mkdir(runtime, { mode: 0o700 })]);
  await START[start](cwd);
  const env = { ...(await cleanEnvironment()), HOME: home, XDG_RUNTIME_DIR: runtime };
  return {
    shellEnvironment: { cwd, stateDirectory, env },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const START: Readonly<Record<StartingPoint, (directory: string) => Promise<void>>> = {
  "fresh clone": (directory) => succeed("git", "clone", "--quiet", ROOT, directory),
  clone: async (directory) => {
    await mkdir(directory);
    await Promise.all(LINKED.map((entry) => symlink(join(ROOT, entry), join(directory, entry))));
  },
  project: async (directory) => {
    const names = ["simple", "--group", "examples.levelset.dev"];
    await succeed(process.execPath, LAUNCHER, "init", ...names, "--published", "--dir", directory);
    const example = join(ROOT, "examples", "01-simple");
    await copyFile(join(example, "simple.ts"), join(directory, "src", "simple.ts"));
    await copyFile(join(example, "sample.yaml"), join(directory, "sample.yaml"));
    await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  },
};

async function succeed(command: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProcess(command, { args, cwd: ROOT });
  if (code !== 0) throw new Error(stderr);
}

/** Returns environment variables without this checkout on the PATH. */
async function cleanEnvironment(): Promise<Record<string, string | undefined>> {
  const inherited = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  const assets = await findAssets({ env: process.env });
  const unset = Object.keys(process.env).filter((name) =>
    /^(?:npm_|VITEST|NODE_|KUBECONFIG$|CI$|FORCE_COLOR$)/u.test(name),
  );
  return {
    ...Object.fromEntries(unset.map((name) => [name, undefined])),
    PATH: [...inherited, ...(assets.kind === "found" ? [assets.directory] : [])].join(delimiter),
    NO_COLOR: "1",
    // The notice about a newer npm is not part of the documents.
    npm_config_update_notifier: "false",
    // Shared cache: a registry may be slow.
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
  };
}
