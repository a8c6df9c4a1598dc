import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { InputError } from "@levelset/core";
import { NAME_MAX } from "../options/index.ts";

/** The package of an operator. */
export interface Project {
  /** Directory of the package. */
  readonly root: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Whether the production dependencies include the levelset command. */
  readonly hasCommand: boolean;
  /** Whether installation needs more than package.json: workspaces, or `file:` dependencies. */
  readonly installsFiles: boolean;
  readonly lockfile: Lockfile | undefined;
}

/** Supported lockfiles. */
export type Lockfile = "package-lock.json" | "npm-shrinkwrap.json" | "pnpm-lock.yaml" | "yarn.lock";

const LOCKFILES: readonly Lockfile[] = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"];

/** Returns the package that contains a file; undefined if there is none. */
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

/** Returns the name of the generated objects: that of the package, or of the file, as a DNS label. */
export function projectName(project: Project | undefined, path: string): string {
  const name = project?.name?.replace(/^@[^/]*\//u, "") ?? basename(path, extname(path));
  const label = name.toLowerCase().replaceAll(/[^a-z\d]+/gu, "-");
  return (
    label
      .replaceAll(/^-+|-+$/gu, "")
      .slice(0, NAME_MAX)
      .replace(/-+$/u, "") || "operator"
  );
}

/** Returns the path of a file in the image. */
export function imagePath(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
