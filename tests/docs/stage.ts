import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { findAssets } from "../../tools/envtest/index.ts";
import { runProcess } from "../support/process.ts";
import { ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import type { Seat } from "./terminal.ts";

/** Where a reader begins: in a fresh clone, as after `git clone`; or in a clone where `npm start` has run before. */
export type Beginning = "fresh clone" | "clone";

/** A reader's machine. It goes with the test. */
export interface Stage extends AsyncDisposable {
  readonly seat: Seat;
}

/** What of a clone a reader sees. The directory around it is the reader's own, so that two of them do not meet. */
const SEEN = ["examples", "packages", "node_modules", "docs", "tools", "package.json", "package-lock.json"];

/** A machine with an empty home, the system's Node and npm, and kubectl. */
export async function stage(beginning: Beginning): Promise<Stage> {
  const place = await scratch();
  const [home, memory, clone] = [join(place.path, "home"), join(place.path, "memory"), join(place.path, "levelset")];
  await Promise.all([mkdir(home), mkdir(memory), mkdir(join(place.path, "run"), { mode: 0o700 })]);
  if (beginning === "fresh clone") {
    const { code, stderr } = await runProcess("git", { args: ["clone", "--quiet", ROOT, clone], cwd: place.path });
    if (code !== 0) throw new Error(stderr);
  } else {
    await mkdir(clone);
    await Promise.all(SEEN.map((entry) => symlink(join(ROOT, entry), join(clone, entry))));
  }
  const env = { ...(await newcomer()), HOME: home, XDG_RUNTIME_DIR: join(place.path, "run") };
  return { seat: { cwd: clone, memory, env }, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
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
  };
}
