import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

/** An empty directory that goes with the test. */
export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/** Makes one outside the repository. */
export function scratch(): Promise<Scratch> {
  return scratchIn(tmpdir());
}

/** Makes one inside the repository (ignored by git), where our packages can be imported by name. */
export async function scratchInside(): Promise<Scratch> {
  const parent = join(ROOT, ".levelset");
  await mkdir(parent, { recursive: true });
  return scratchIn(parent);
}

/** What is removed when the process ends before who asked for it has done so. */
const open = new Set<string>();
process.on("exit", () => {
  for (const path of open) rmSync(path, { recursive: true, force: true });
});

async function scratchIn(parent: string): Promise<Scratch> {
  const path = await mkdtemp(join(parent, "scratch-"));
  open.add(path);
  const remove = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true });
    open.delete(path);
  };
  return { path, [Symbol.asyncDispose]: remove };
}
