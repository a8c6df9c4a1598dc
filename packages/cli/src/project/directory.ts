import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { ProjectData, ProjectFile } from "./template.ts";

/** Entries that an otherwise empty directory may have. */
const ALLOWED: readonly string[] = [".git"];
const SHOWN_MAX = 3;

/**
 * Writes files to an empty or missing directory. They are staged in a temporary directory and then moved, so that a
 * failure leaves no partial project.
 */
export async function writeProject(directory: string, files: readonly (ProjectFile | ProjectData)[]): Promise<void> {
  const exists = await checkEmpty(directory);
  const staged = join(exists ? directory : dirname(directory), `.levelset-init-${randomUUID()}`);
  try {
    for (const file of files) {
      const path = join(staged, file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "text" in file ? file.text : file.bytes, { flag: "wx" });
    }
    // An existing directory may be the working directory of a shell, so it is not replaced.
    if (!exists) return await rename(staged, directory);
    for (const entry of await readdir(staged)) await rename(join(staged, entry), join(directory, entry));
  } catch (error) {
    throw new InputError(`cannot write to ${directory}: ${toError(error).message}`, { hint: "pass another --dir" });
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Reports whether a directory exists. Throws an InputError if it is not empty. */
export async function checkEmpty(directory: string): Promise<boolean> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw new InputError(`cannot use ${directory}: ${toError(error).message}`, { hint: "pass another --dir" });
  }
  const others = entries.filter((entry) => !ALLOWED.includes(entry));
  if (others.length === 0) return true;
  const shown = [...others.slice(0, SHOWN_MAX), ...(others.length > SHOWN_MAX ? ["…"] : [])].join(", ");
  throw new InputError(`${directory} is not empty: it has ${shown}`, { hint: "pass another --dir" });
}
