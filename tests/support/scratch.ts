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

async function scratchIn(parent: string): Promise<Scratch> {
  const path = await mkdtemp(join(parent, "scratch-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
