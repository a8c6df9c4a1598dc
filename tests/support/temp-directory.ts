import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

/** An empty directory that is removed with the test. */
export interface TempDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Creates one outside the repository. */
export function tempDirectory(): Promise<TempDirectory> {
  return scratchIn(tmpdir());
}

/** Creates one inside the repository (ignored by git), where the packages can be imported by name. */
export async function tempDirectoryInRepository(): Promise<TempDirectory> {
  const parent = join(ROOT, ".levelset");
  await mkdir(parent, { recursive: true });
  return scratchIn(parent);
}

/** Directories that are removed at process exit, unless they were removed before. */
const open = new Set<string>();
process.on("exit", () => {
  for (const path of open) rmSync(path, { recursive: true, force: true });
});

async function scratchIn(parent: string): Promise<TempDirectory> {
  const path = await mkdtemp(join(parent, "scratch-"));
  open.add(path);
  const remove = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true });
    open.delete(path);
  };
  return { path, [Symbol.asyncDispose]: remove };
}
