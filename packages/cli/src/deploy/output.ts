import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { InputError, toError } from "@levelset/core";

/** A file to write. */
export interface OutputFile {
  /** Below the directory. */
  readonly path: string;
  readonly text: string;
}

/** What happened to a directory. */
export interface Output {
  readonly written: readonly string[];
  /** Files of an earlier run that are not needed any more. */
  readonly removed: readonly string[];
}

const CLAIM = "# Written by levelset manifests, and written anew by it: change it by an overlay.";
const MARK = new RegExp(`^${CLAIM} ([\\da-f]{16})\n`, "u");

/**
 * Writes files into a directory and removes those that an earlier run wrote there and that are not among them. Files that somebody
 * else wrote, or changed since, are not touched: then nothing is written at all, unless forced.
 */
export async function writeOutput(
  directory: string,
  files: readonly OutputFile[],
  options: { readonly force: boolean },
): Promise<Output> {
  const paths = files.map(({ path }) => path);
  const foreign = await having("somebody else", directory, paths);
  if (foreign.length > 0 && !options.force) {
    throw new InputError(
      `${directory} has files that levelset did not write, or that were changed since: ${foreign.join(", ")}`,
      {
        hint: "choose another --out, or replace them with --force",
      },
    );
  }
  const others = (await manifestsIn(directory)).filter((path) => !paths.includes(path));
  const removed = await having("us", directory, others);
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), marked(text));
    }
    for (const path of removed) await rm(join(directory, path), { force: true });
  } catch (error) {
    throw new InputError(`cannot write to ${directory}: ${toError(error).message}`, { hint: "choose another --out" });
  }
  return { written: paths, removed };
}

/** A text that says who wrote it, and shows whether anybody changed it. */
function marked(text: string): string {
  return `${CLAIM} ${digest(text)}\n${text}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Which of these files somebody wrote. */
async function having(
  author: "us" | "somebody else",
  directory: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const authors = await Promise.all(paths.map((path) => authorOf(join(directory, path))));
  return paths.filter((_, position) => authors[position] === author);
}

/** Who wrote a file; undefined when there is none. */
async function authorOf(path: string): Promise<"us" | "somebody else" | undefined> {
  let found: string;
  try {
    found = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "somebody else";
  }
  const [line = "", mark] = MARK.exec(found) ?? [];
  return mark !== undefined && mark === digest(found.slice(line.length)) ? "us" : "somebody else";
}

/** The YAML files where a base has its own. */
async function manifestsIn(directory: string): Promise<readonly string[]> {
  const folders = ["", "crds", "rbac"].map(async (folder) => {
    const names = await readdir(join(directory, folder)).catch(() => []); // a folder that is not there holds none
    return names.filter((name) => name.endsWith(".yaml")).map((name) => posix.join(folder, name));
  });
  return (await Promise.all(folders)).flat();
}
