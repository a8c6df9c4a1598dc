import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";

/** Where a running process answers questions about its operators, and the token that /debug asks for. */
export interface RunFile {
  readonly url: string;
  readonly token?: string;
  readonly pid: number;
  readonly operators: readonly string[];
  /** The address of the cluster that it works on. */
  readonly server?: string;
}

/** What run files have to do with the machine: where they are, whose, and which processes are still there. */
export interface RunFileWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where there is no XDG_RUNTIME_DIR: a directory that all users share. */
  readonly tmpdir: string;
  /** The user's number; undefined where there is none. */
  readonly uid: number | undefined;
  readonly isAlive: (pid: number) => boolean;
}

const NAME = /^\d+\.json$/u;

/** Leaves word of a process for others of the same user, until the answer is disposed. Word of dead processes is removed. */
export function writeRunFile(run: RunFile, world: RunFileWorld): Disposable {
  const directory = openDirectory(world);
  readAll(directory, world);
  const path = join(directory, `${run.pid}.json`);
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify({ ...run, url: reachable(run.url) }), { mode: 0o600, flag: "wx" });
  // Readers see all of it or nothing.
  renameSync(next, path);
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** The processes that left word of themselves and still run, in no order. */
export function readRunFiles(world: RunFileWorld): readonly RunFile[] {
  const directory = directoryOf(world);
  return lstatSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readAll(openDirectory(world), world);
}

function directoryOf({ env, tmpdir, uid }: RunFileWorld): string {
  const own = env["XDG_RUNTIME_DIR"];
  return own === undefined || own === "" ? join(tmpdir, `levelset-${uid ?? "user"}`) : join(own, "levelset");
}

/** The directory of this user. One that somebody else made, in a place where anybody may, is not trusted with tokens. */
function openDirectory(world: RunFileWorld): string {
  const directory = directoryOf(world);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  const isOurs = world.uid === undefined || (found.uid === world.uid && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOurs) return directory;
  throw new InputError(`${directory} is not a directory that belongs to you alone`, {
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

/** What a file says: nothing if its process took it away meanwhile, or if it is not one of ours. */
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

/** An address that stands for all of the machine's is reached by its loopback. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** The machine that this process runs on. */
export function thisMachine(env: RunFileWorld["env"]): RunFileWorld {
  return { env, tmpdir: tmpdir(), uid: process.getuid?.(), isAlive };
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 is sent to nobody; only whether it could be is answered.
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
