import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

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

/** Removes a file, unless somebody has written another one to its place. */
export async function removeOwnFile(path: string, text: string): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined); // gone, or no longer ours to read
  if (found === text) await rm(path, { force: true });
}
