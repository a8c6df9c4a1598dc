import { stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { InputError } from "@levelset/core";
import { storyTest } from "@levelset/simulation/internal";
import type { StoryFile } from "@levelset/simulation/internal";
import type { SimulationInputs } from "./simulate-file.ts";
import { writePrivateText } from "./story-files.ts";

/** Where a test is written. */
export interface TestTarget {
  /** The path of the test, as the user wrote it. */
  readonly path: string;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  readonly cwd: string;
}

/** Throws an InputError if the file exists and must not be replaced. Call it before long work. */
export async function checkTestTarget({ path, force, cwd }: TestTarget): Promise<void> {
  if (force || (await stat(resolve(cwd, path)).catch(() => undefined)) === undefined) return;
  throw new InputError(`${path} exists`, { hint: "pass another file, or replace it with --force" });
}

/** Writes a test that replays a story. */
export async function writeTest(
  story: Pick<StoryFile, "file" | "violation" | "case">,
  inputs: SimulationInputs,
  { path, force, cwd }: TestTarget,
): Promise<void> {
  const program = specifierOf(resolve(cwd, story.file), resolve(cwd, path));
  // Cases have the values of Secrets of samples.
  await writePrivateText(resolve(cwd, path), storyTest({ story, program, ...inputs }), { isNew: !force, shown: path });
}

/** Returns the specifier with which a file imports another one: `../src/operator.ts`. */
function specifierOf(imported: string, from: string): string {
  const path = relative(dirname(from), imported).split(sep).join("/");
  return path.startsWith("../") ? path : `./${path}`;
}
