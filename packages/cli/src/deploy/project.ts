import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { InputError } from "@levelset/core";

/** The package that an operator is part of. */
export interface Project {
  /** Its directory. */
  readonly root: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Whether `npm install` in production brings the levelset command. */
  readonly hasCommand: boolean;
  /** Whether installing it takes more than its manifest: it is a workspace, or depends on files of its own. */
  readonly installsFiles: boolean;
  readonly lockfile: Lockfile | undefined;
}

/** The lockfiles that we know, and what installs from them. */
export type Lockfile = "package-lock.json" | "npm-shrinkwrap.json" | "pnpm-lock.yaml" | "yarn.lock";

const LOCKFILES: readonly Lockfile[] = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"];

/** The package whose directory, or one below it, holds a file; undefined when there is none. */
export async function findProject(path: string): Promise<Project | undefined> {
  for (let root = dirname(path); ; root = dirname(root)) {
    const text = await readFile(join(root, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return readProject(root, text);
    if (dirname(root) === root) return undefined;
  }
}

async function readProject(root: string, text: string): Promise<Project> {
  const fields = parse(text, join(root, "package.json"));
  const { name, version, dependencies, devDependencies, optionalDependencies, workspaces } = fields;
  const present = await Promise.all(LOCKFILES.map((file) => stat(join(root, file)).catch(() => undefined)));
  return {
    root,
    name: typeof name === "string" ? name : undefined,
    version: typeof version === "string" ? version : undefined,
    hasCommand: typeof dependencies === "object" && dependencies !== null && "levelset" in dependencies,
    installsFiles: workspaces !== undefined || [dependencies, devDependencies, optionalDependencies].some(hasFiles),
    lockfile: LOCKFILES.find((_, position) => present[position] !== undefined),
  };
}

function hasFiles(dependencies: unknown): boolean {
  if (typeof dependencies !== "object" || dependencies === null) return false;
  return Object.values(dependencies).some((from) => typeof from === "string" && from.startsWith("file:"));
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return { ...parsed };
  } catch (error) {
    throw new InputError(`${path}: not JSON`, { cause: error });
  }
  throw new InputError(`${path}: not an object`);
}

/** How things are called after a package or, without one, after a file: a DNS label. */
export function nameOf(project: Project | undefined, path: string): string {
  const name = project?.name?.replace(/^@[^/]*\//u, "") ?? basename(path, extname(path));
  const label = name.toLowerCase().replaceAll(/[^a-z\d]+/gu, "-");
  return (
    label
      .replaceAll(/^-+|-+$/gu, "")
      .slice(0, NAME_MAX)
      .replace(/-+$/u, "") || "operator"
  );
}

/** Leaves room for what is put behind a name. */
export const NAME_MAX = 50;

/** The path of a file below a directory, as it is in an image. */
export function pathBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
