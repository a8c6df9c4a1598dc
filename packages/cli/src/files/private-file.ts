import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "@levelset/core";

/** Maximum number of attempts while other processes claim or release the same file. */
const ATTEMPTS_MAX = 50;

/** Atomically writes or replaces a file that only its owner can read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${randomUUID()}`;
  try {
    await writeFile(next, text, { mode: 0o600, flag: "wx" });
    await rename(next, path);
  } finally {
    await rm(next, { force: true });
  }
}

/** A file that one process at a time can own. */
export interface FileClaim {
  readonly path: string;
  readonly text: string;
  /** Throws if the existing file belongs to a running process. */
  readonly mayReplace: (found: string) => Promise<void>;
  /** Whether a file modified by another program is still the claimed one. Default: never. */
  readonly isOurs?: (found: string) => Promise<boolean>;
}

async function removeClaimed({ path, text, isOurs }: FileClaim): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined); // deleted, or no longer readable
  if (found === undefined) return;
  if (found === text || (await isOurs?.(found)) === true) await rm(path, { force: true });
}

/** Writes a file and removes it on disposal. Of several concurrent claims exactly one succeeds. */
export async function claimFile(claim: FileClaim): Promise<AsyncDisposable> {
  const { path, text, mayReplace } = claim;
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (await createPrivateFile(path, text)) return { [Symbol.asyncDispose]: () => removeClaimed(claim) };
    const found = await readFile(path, "utf8").catch(undefinedIfMissing);
    if (found === undefined) continue;
    await mayReplace(found);
    await discard(path, found);
  }
  throw new InputError(`${path} cannot be claimed: other processes keep writing it`);
}

/** Atomically creates a file that only its owner can read; returns false if the path exists. */
async function createPrivateFile(path: string, text: string): Promise<boolean> {
  const next = `${path}.${randomUUID()}`;
  try {
    await writeFile(next, text, { mode: 0o600, flag: "wx" });
    await linkOrCopy(next, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(next, { force: true });
  }
}

/** Links or copies a file. Fails if the target exists. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // Not every file system supports hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Removes a file if it has the known content; restores a file that has replaced it. */
async function discard(path: string, known: string): Promise<void> {
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
    if ((await readFile(moved, "utf8")) !== known) await linkOrCopy(moved, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(moved, { force: true });
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return undefined;
  throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
