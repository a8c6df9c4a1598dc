import { readFileSync } from "node:fs";
import { chown, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../tools/system/program.ts";
import { eventually } from "./eventually.ts";
import { runProcess } from "./test-process.ts";
import { tempDirectory } from "./temp-directory.ts";
import { onFreePorts, ServerProcess } from "./server-process.ts";

/** The password of the server's user. */
export const POSTGRES_PASSWORD = "a secret of the tests";

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=60",
  "shared_buffers=128MB",
];

/** A real PostgreSQL on the loopback address. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** `postgres://…` of the one database, without the password. */
  readonly url: string;
  /** Kills all its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with its data. */
  start(): Promise<void>;
}

/**
 * Starts PostgreSQL with its own directory and port. It waits for the disk before it acknowledges, as in production.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await tempDirectory();
  const data = join(directory.path, "data");
  const passwordFile = join(directory.path, "password");
  await writeFile(passwordFile, POSTGRES_PASSWORD);
  const owner = await serverUser();
  if (owner !== undefined) for (const path of [directory.path, passwordFile]) await chown(path, owner.uid, owner.gid);
  const as = (
    program: string,
    args: readonly string[],
  ): { readonly command: string; readonly args: readonly string[] } => {
    const path = findProgram(program) ?? program;
    if (owner === undefined) return { command: path, args };
    return {
      command: "setpriv",
      args: [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups", path, ...args],
    };
  };
  const init = as("initdb", [
    "-D",
    data,
    "-U",
    "fleet",
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ]);
  const made = await runProcess(init.command, { args: init.args, cwd: directory.path });
  if (made.code !== 0) throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`);
  const { server, port } = await onFreePorts(1, async ([port = 0]) => {
    const settings = [...SETTINGS, `port=${port}`];
    const run = as("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
    const server = new ServerProcess(run.command, {
      args: run.args,
      cwd: directory.path,
      ready: /ready to accept connections/u,
    });
    await server.start();
    return { server, port };
  });
  const kill = async (): Promise<void> => {
    const workers = await workersOf(data);
    await server.kill();
    for (const worker of workers) endWorker(worker);
    // PostgreSQL does not restart while a worker still holds the shared memory.
    await eventually("the workers have ended", () => !workers.some(isRunning), { pollMs: 5 });
  };
  return {
    port,
    url: `postgres://fleet@127.0.0.1:${port}/postgres`,
    kill,
    start: () => server.start(),
    [Symbol.asyncDispose]: async () => {
      await kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** PostgreSQL refuses to run as root; Debian's package creates the user `postgres`. */
async function serverUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((entry) => entry.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error("cannot run PostgreSQL as root: there is no user postgres");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the worker processes, which have their own process groups and may outlive the server for a moment. */
async function workersOf(data: string): Promise<readonly number[]> {
  try {
    const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
    return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").map(Number);
  } catch {
    return []; // it is not running, or this is not Linux
  }
}

function endWorker(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Returns whether a process is running. A zombie is not: it holds no resources. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
