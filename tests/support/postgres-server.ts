import { readFileSync } from "node:fs";
import { chown, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { realClock } from "@levelset/core";
import { freePorts } from "../../tools/envtest/port.ts";
import { findProgram } from "../../tools/system/program.ts";
import { runProcess } from "./process.ts";
import { scratch } from "./scratch.ts";
import { ServerProcess } from "./server-process.ts";

/** The password of the server's user. */
export const POSTGRES_PASSWORD = "a secret of the tests";

/** A real PostgreSQL on the loopback address. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** `postgres://…` of the one database, without the password. */
  readonly url: string;
  /** Kills all of it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, with its data. */
  start(): Promise<void>;
}

/** Starts one with a directory and a port of its own. What it acknowledges is on the disk, as in production. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await scratch();
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
  const [port = 0] = await freePorts(1);
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=60",
    "shared_buffers=128MB",
  ];
  const run = as("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
  const server = new ServerProcess(run.command, {
    args: run.args,
    cwd: directory.path,
    ready: /ready to accept connections/u,
  });
  const kill = async (): Promise<void> => {
    const workers = await workersOf(data);
    await server.kill();
    for (const worker of workers) endWorker(worker);
    // It does not start again while one of them still has its memory.
    while (workers.some(isRunning)) await realClock.sleep(5);
  };
  await server.start();
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

/** The server refuses to run as root; Debian brings a user for it. */
async function serverUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((entry) => entry.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("there is no user postgres to run the server as");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Its workers are in groups of their own, and would outlive it for a moment. */
async function workersOf(data: string): Promise<readonly number[]> {
  try {
    const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
    return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").map(Number);
  } catch {
    return []; // it does not run, or this is no Linux
  }
}

function endWorker(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Whether a process is there. One that has ended and that nobody has asked for is a zombie, which has nothing any more. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
