import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import { serverRecordPath } from "./kubeconfig-file.ts";
import { writePrivateFile } from "../files/index.ts";

/** Record of the current or last embedded server of a directory. */
export interface ServerRecord {
  /** Command that ran it: `levelset dev`. */
  readonly command: string;
  readonly pid: number;
  /** Start and end in RFC 3339. A killed server has no end. */
  readonly started: string;
  readonly ended?: string;
}

/** Hint for a server that is not running. */
const HINT = "start it again, or select a cluster with --kubeconfig, --context or KUBECONFIG";

/** The server of this directory is not running. Commands never fall back to another cluster. */
export class ServerNotRunning extends InputError {}

/** Writes the server record next to the kubeconfig; it outlives the server. */
export async function writeServerRecord(kubeconfig: string, record: ServerRecord): Promise<void> {
  const path = serverRecordPath(kubeconfig);
  if (path !== undefined) await writePrivateFile(path, `${JSON.stringify(record)}\n`);
}

/** Records the end of a server unless another one has started. */
export async function writeServerEnd(kubeconfig: string, record: ServerRecord, ended: string): Promise<void> {
  const last = lastServer(kubeconfig);
  const isLast = last?.pid === record.pid && last.started === record.started;
  if (isLast) await writeServerRecord(kubeconfig, { ...record, ended });
}

/** Returns the last server of a kubeconfig, or undefined. */
export function lastServer(kubeconfig: string): ServerRecord | undefined {
  const path = serverRecordPath(kubeconfig);
  if (path === undefined || !existsSync(path)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isRecord(found)) return found;
  } catch {
    // Not JSON: a server has run here, but its details are unknown.
  }
  return { command: "levelset dev", pid: 0, started: "" };
}

function isRecord(found: unknown): found is ServerRecord {
  if (!isJsonObject(found)) return false;
  const { command, pid, started, ended } = found;
  const areTexts = typeof command === "string" && typeof started === "string";
  return areTexts && Number.isInteger(pid) && (ended === undefined || typeof ended === "string");
}

/** Throws `ServerNotRunning` if a kubeconfig is missing because its server has ended. */
export function checkServerRunning(kubeconfig: string, cwd: string): void {
  const last = existsSync(kubeconfig) ? undefined : lastServer(kubeconfig);
  if (last === undefined) return;
  const { command, started, ended = "" } = last;
  const period = ended === "" ? (started === "" ? "" : ` (it started at ${started})`) : ` (it ran here until ${ended})`;
  const home = dirname(dirname(kubeconfig));
  const where = home === cwd ? "this directory" : home;
  throw new ServerNotRunning(`${command} is not running in ${where}${period}`, { hint: HINT });
}

/** Error for a server that is unreachable although its kubeconfig exists. */
export function serverUnreachable(
  kubeconfig: string,
  about: { readonly server: string; readonly found: string; readonly cause: unknown },
): ServerNotRunning {
  const command = lastServer(kubeconfig)?.command ?? "levelset dev";
  const { server, found, cause } = about;
  const message = `${command} is not running in this directory: cannot reach ${server} (from ${found})`;
  return new ServerNotRunning(message, { hint: HINT, cause });
}
