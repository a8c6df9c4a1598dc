import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { hashJson, InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import { eventsWithViolation, formatStoryFile, parseStoryFile, whyText } from "@levelset/simulation/internal";
import type { StoryFile } from "@levelset/simulation/internal";
import { writePrivateFile } from "../files/index.ts";
import { version } from "../process/index.ts";
import { readText } from "../yaml/index.ts";
import type { SimulateSettings } from "./simulate-file.ts";
import type { SeedFailure } from "./worker-message.ts";

/** Directory of stories, relative to the current directory. */
export const STORY_DIRECTORY: string = join(".levelset", "simulation");
/** Length of the hash of a program's path. */
const HASH_LENGTH = 8;

/** Writes the story of a failure. Returns its path, or undefined if the failure has no case to replay. */
export async function writeStory(
  failure: SeedFailure,
  { file, samples, ignore }: Pick<SimulateSettings, "file" | "samples" | "ignore">,
  cwd: string,
): Promise<string | undefined> {
  if (failure.kind === "process") return undefined;
  const { seed, violation, case: recorded, events, why } = failure;
  const path = await storyPath(seed, file, cwd);
  const text = formatStoryFile({
    levelset: version(),
    file,
    ...(samples === undefined ? {} : { samples }),
    ...(ignore.length === 0 ? {} : { ignore }),
    violation,
    case: recorded,
    events: eventsWithViolation(events, violation, why),
    ...(why === undefined || why.objects.length === 0 ? {} : { why: whyText(why) }),
  });
  // Atomic, because the console reads stories while they are written.
  await writePrivateFile(resolve(cwd, path), text).catch((error: unknown) => throwUnwritable(path, error));
  return path;
}

/** Returns the path of the story of a seed. Stories of other programs are not replaced. */
async function storyPath(seed: number, file: string, cwd: string): Promise<string> {
  const path = join(STORY_DIRECTORY, `seed-${seed}.json`);
  const existing = await readStory(path, cwd).catch(() => undefined); // missing, or written by an earlier version
  const program = resolve(cwd, file);
  if (existing === undefined || resolve(cwd, existing.file) === program) return path;
  const hash = hashJson(relative(cwd, program).split(sep).join("/")).slice(0, HASH_LENGTH);
  return join(STORY_DIRECTORY, `seed-${seed}-${hash}.json`);
}

/** Reads a story. Throws an InputError if the file is none. */
export async function readStory(path: string, cwd: string): Promise<StoryFile> {
  return parseStoryFile(await readText(path, { cwd }), path);
}

/** Writes a file and its directory. */
export async function writeText(path: string, text: string, options: { readonly shown: string }): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    throwUnwritable(options.shown, error);
  }
}

/** Writes a file that only its owner can read. With `isNew`, throws an InputError if the file exists. */
export async function writePrivateText(
  path: string,
  text: string,
  { isNew, shown }: { readonly isNew: boolean; readonly shown: string },
): Promise<void> {
  try {
    if (!isNew) return await writePrivateFile(path, text);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (isNew && exists)
      throw new InputError(`${shown} exists`, { hint: "pass another file, or replace it with --force" });
    throwUnwritable(shown, error);
  }
}

function throwUnwritable(path: string, error: unknown): never {
  throw new InputError(`cannot write ${path}: ${toError(error).message}`);
}
