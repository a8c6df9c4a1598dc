import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError, toError } from "@levelset/core";
import type { ProjectData, ProjectFile } from "../template.ts";

/** Entries that may be in a directory before a project comes into it. */
const WELCOME: readonly string[] = [".git"];
const SHOWN_MAX = 3;

/**
 * Puts files into a directory that is empty, or not there yet. They are written beside their places first and then moved, so that
 * whatever goes wrong, there is no half of a project.
 */
export async function placeProject(directory: string, files: readonly (ProjectFile | ProjectData)[]): Promise<void> {
  const isThere = await checkEmpty(directory);
  const staged = join(isThere ? directory : dirname(directory), `.levelset-init-${randomUUID()}`);
  try {
    for (const file of files) {
      const path = join(staged, file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "text" in file ? file.text : file.bytes, { flag: "wx" });
    }
    // A directory that is there may be somebody's current one: it stays, and what belongs into it moves.
    if (!isThere) return await rename(staged, directory);
    for (const entry of await readdir(staged)) await rename(join(staged, entry), join(directory, entry));
  } catch (error) {
    throw new InputError(`cannot write to ${directory}: ${toError(error).message}`, { hint: "choose another --dir" });
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Whether a directory is there. One that holds something is refused. */
export async function checkEmpty(directory: string): Promise<boolean> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw new InputError(`cannot use ${directory}: ${toError(error).message}`, { hint: "choose another --dir" });
  }
  const others = entries.filter((entry) => !WELCOME.includes(entry));
  if (others.length === 0) return true;
  const shown = [...others.slice(0, SHOWN_MAX), ...(others.length > SHOWN_MAX ? ["…"] : [])].join(", ");
  throw new InputError(`${directory} is not empty: it has ${shown}`, { hint: "choose another --dir" });
}
