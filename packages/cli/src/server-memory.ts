import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import { memoryPathOf } from "./kubeconfig-file.ts";
import { writeOwnFile } from "./own-file.ts";

/** An embedded server of a directory: the one that runs there, or the last one that did. */
export interface ServerRecord {
  /** What ran it: `levelset dev`. */
  readonly command: string;
  readonly pid: number;
  /** When it started and ended, in RFC 3339. One that was killed has no end. */
  readonly started: string;
  readonly ended?: string;
}

/** What to do where a server is missing. */
const HINT = "start it again, or name a cluster with --kubeconfig, --context or KUBECONFIG";

/** That the server which commands of a directory use does not run. It is never a reason to use another cluster. */
export class ServerNotRunning extends InputError {}

/** Remembers a server beside its kubeconfig, so that commands of the directory know it also when it is gone. */
export async function rememberServer(kubeconfig: string, record: ServerRecord): Promise<void> {
  const path = memoryPathOf(kubeconfig);
  if (path !== undefined) await writeOwnFile(path, `${JSON.stringify(record)}\n`);
}

/** Remembers that a server has ended, unless another one has started since. */
export async function rememberEnd(kubeconfig: string, record: ServerRecord, ended: string): Promise<void> {
  const last = lastServer(kubeconfig);
  const isLast = last?.pid === record.pid && last.started === record.started;
  if (isLast) await rememberServer(kubeconfig, { ...record, ended });
}

/** The server that ran last where a kubeconfig is; undefined if there was none. */
export function lastServer(kubeconfig: string): ServerRecord | undefined {
  const path = memoryPathOf(kubeconfig);
  if (path === undefined || !existsSync(path)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isRecord(found)) return found;
  } catch {
    // Not JSON: that a server ran here is known all the same.
  }
  return { command: "levelset dev", pid: 0, started: "" };
}

function isRecord(found: unknown): found is ServerRecord {
  if (!isJsonObject(found)) return false;
  const { command, pid, started, ended } = found;
  const areTexts = typeof command === "string" && typeof started === "string";
  return areTexts && Number.isInteger(pid) && (ended === undefined || typeof ended === "string");
}

/** Throws if a kubeconfig is gone because its server has ended. `cwd` is the directory that the error calls this one. */
export function mustRun(kubeconfig: string, cwd: string): void {
  const last = existsSync(kubeconfig) ? undefined : lastServer(kubeconfig);
  if (last === undefined) return;
  const { command, started, ended = "" } = last;
  const ran = ended === "" ? (started === "" ? "" : ` (it started at ${started})`) : ` (it ran here until ${ended})`;
  const home = dirname(dirname(kubeconfig));
  const where = home === cwd ? "this directory" : home;
  throw new ServerNotRunning(`${command} is not running in ${where}${ran}`, { hint: HINT });
}

/** The error for a server that left its kubeconfig behind, and does not answer. */
export function noAnswer(
  kubeconfig: string,
  about: { readonly server: string; readonly found: string; readonly cause: unknown },
): ServerNotRunning {
  const command = lastServer(kubeconfig)?.command ?? "levelset dev";
  const { server, found, cause } = about;
  const message = `${command} is not running in this directory: no answer from ${server}, which ${found} names`;
  return new ServerNotRunning(message, { hint: HINT, cause });
}
