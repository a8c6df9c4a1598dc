import { copyFile, mkdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { findAssets } from "../../tools/envtest/index.ts";
import { runProcess } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import type { Seat } from "./terminal.ts";

/**
 * Where a reader begins: in a fresh clone, as after `git clone`; in a clone where `npm start` has run before; or in a project as it is at the
 * end of the guide's first chapter.
 */
export type Beginning = "fresh clone" | "clone" | "project";

/** A reader's machine. It goes with the test. */
export interface Stage extends AsyncDisposable {
  readonly seat: Seat;
}

/** What of a clone a reader sees. The directory around it is the reader's own, so that two of them do not meet. */
const SEEN = ["examples", "packages", "node_modules", "docs", "tools", "package.json", "package-lock.json"];

/** A machine with an empty home, the system's Node and npm, and kubectl. Only what npm has fetched before is shared. */
export async function stage(beginning: Beginning): Promise<Stage> {
  const place = await scratch();
  const [home, memory, cwd] = [join(place.path, "home"), join(place.path, "memory"), join(place.path, "here")];
  await Promise.all([mkdir(home), mkdir(memory), mkdir(join(place.path, "run"), { mode: 0o700 })]);
  await BEGINNINGS[beginning](cwd);
  const env = { ...(await newcomer()), HOME: home, XDG_RUNTIME_DIR: join(place.path, "run") };
  return { seat: { cwd, memory, env }, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

const BEGINNINGS: Readonly<Record<Beginning, (directory: string) => Promise<void>>> = {
  "fresh clone": (directory) => succeed("git", "clone", "--quiet", ROOT, directory),
  clone: async (directory) => {
    await mkdir(directory);
    await Promise.all(SEEN.map((entry) => symlink(join(ROOT, entry), join(directory, entry))));
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

/** The environment of somebody who has nothing of this checkout on the PATH. */
async function newcomer(): Promise<Record<string, string | undefined>> {
  const inherited = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  const assets = await findAssets({ env: process.env });
  const unset = Object.keys(process.env).filter((name) =>
    /^(?:npm_|VITEST|NODE_|KUBECONFIG$|CI$|FORCE_COLOR$)/u.test(name),
  );
  return {
    ...Object.fromEntries(unset.map((name) => [name, undefined])),
    PATH: [...inherited, ...(assets.kind === "found" ? [assets.directory] : [])].join(delimiter),
    NO_COLOR: "1",
    // Whether there is a newer npm is nothing that a document could know.
    npm_config_update_notifier: "false",
    // What this machine has fetched before is not fetched again for each document: a registry may be slow.
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
  };
}
