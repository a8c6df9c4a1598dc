import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";

/** URL and debug token of a running operator process. */
export interface RunFile {
  readonly url: string;
  readonly token?: string;
  readonly pid: number;
  readonly operators: readonly string[];
  /** Server URL of its cluster. */
  readonly server?: string;
}

/** Environment of run files: directory, user and process checks. */
export interface RunFileWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fallback for XDG_RUNTIME_DIR: a directory shared by all users. */
  readonly tmpdir: string;
  /** User ID; undefined on platforms without one. */
  readonly uid: number | undefined;
  readonly isAlive: (pid: number) => boolean;
}

const NAME = /^\d+\.json$/u;

/** Writes the run file of a process until disposal, and removes run files of dead processes. */
export function writeRunFile(run: RunFile, world: RunFileWorld): Disposable {
  const directory = openDirectory(world);
  readAll(directory, world);
  const path = join(directory, `${run.pid}.json`);
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify({ ...run, url: reachable(run.url) }), { mode: 0o600, flag: "wx" });
  // Atomic for readers.
  renameSync(next, path);
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** Returns the run files of running processes, in no particular order. */
export function readRunFiles(world: RunFileWorld): readonly RunFile[] {
  const directory = directoryOf(world);
  return lstatSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readAll(openDirectory(world), world);
}

function directoryOf({ env, tmpdir, uid }: RunFileWorld): string {
  const own = env["XDG_RUNTIME_DIR"];
  return own === undefined || own === "" ? join(tmpdir, `levelset-${uid ?? "user"}`) : join(own, "levelset");
}

/** Returns the directory of this user. Throws an InputError if another user owns it, because it holds tokens. */
function openDirectory(world: RunFileWorld): string {
  const directory = directoryOf(world);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  const isOurs = world.uid === undefined || (found.uid === world.uid && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOurs) return directory;
  throw new InputError(`${directory} is not a directory that only you can access`, {
    hint: "remove it, or set XDG_RUNTIME_DIR",
  });
}

function readAll(directory: string, world: RunFileWorld): readonly RunFile[] {
  return readdirSync(directory)
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const path = join(directory, name);
      if (world.isAlive(Number.parseInt(name, 10))) return read(path);
      rmSync(path, { force: true });
      return [];
    });
}

/** Reads a run file; empty if it was removed or is invalid. */
function read(path: string): readonly RunFile[] {
  try {
    const run: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRunFile(run) ? [run] : [];
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return [];
    throw error;
  }
}

function isRunFile(value: unknown): value is RunFile {
  if (typeof value !== "object" || value === null) return false;
  const { url, token, pid, operators, server }: { readonly [Name in keyof RunFile]?: unknown } = value;
  const areNames = Array.isArray(operators) && operators.every((name) => typeof name === "string");
  const isToken = token === undefined || typeof token === "string";
  const isServer = server === undefined || isAddress(server);
  return isAddress(url) && isToken && isServer && Number.isInteger(pid) && areNames;
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

/** Replaces a wildcard address by the loopback address. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** Returns the environment of this process. */
export function thisMachine(env: RunFileWorld["env"]): RunFileWorld {
  return { env, tmpdir: tmpdir(), uid: process.getuid?.(), isAlive };
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
