import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "@levelset/core";

/** How often a claim is tried again because others claim the same file, or give it up, at the same time. */
const ATTEMPTS_MAX = 50;

/** Writes a file that its owner alone can read: the whole file appears at once, whatever was there before. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${randomUUID()}`;
  try {
    await writeFile(next, text, { mode: 0o600, flag: "wx" });
    await rename(next, path);
  } finally {
    await rm(next, { force: true });
  }
}

/** A file that only one process at a time may have. */
export interface FileClaim {
  readonly path: string;
  readonly text: string;
  /** Throws if the file that is there belongs to a process that still runs. */
  readonly mayReplace: (found: string) => Promise<void>;
  /** Whether the file that is there is the claimed one, as another program has changed it. Default: never. */
  readonly isOurs?: (found: string) => Promise<boolean>;
}

async function removeClaimed({ path, text, isOurs }: FileClaim): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined); // gone, or no longer ours to read
  if (found === undefined) return;
  if (found === text || (await isOurs?.(found)) === true) await rm(path, { force: true });
}

/** Writes a file that is removed when the claim is disposed. Of several processes that claim a file at once, one gets it. */
export async function claimFile(claim: FileClaim): Promise<AsyncDisposable> {
  const { path, text, mayReplace } = claim;
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (await createOwnFile(path, text)) return { [Symbol.asyncDispose]: () => removeClaimed(claim) };
    const found = await readFile(path, "utf8").catch(undefinedIfAbsent);
    if (found === undefined) continue;
    await mayReplace(found);
    await discard(path, found);
  }
  throw new InputError(`${path} cannot be claimed: other processes write it all the time`);
}

/** Creates a file that only its owner can read, whole and at once; false if the path is taken. */
async function createOwnFile(path: string, text: string): Promise<boolean> {
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

/** Gives a file a second name. Fails where a file has that name. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // Not every file system has hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Removes a file with a known content; one that has taken its place since is put back. */
async function discard(path: string, known: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== known) await linkOrCopy(aside, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function undefinedIfAbsent(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return undefined;
  throw error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
