import { readFile } from "node:fs/promises";
import { CLUSTER_ORIGIN, deepEqual } from "@levelset/core/internal";
import { InputError, isJsonObject } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { connect, parseKubeconfig } from "@levelset/operator";
import { serverRecordPath } from "./kubeconfig-file.ts";
import { claimFile } from "../files/index.ts";
import { isServerRunning, probeServer, thisMachine } from "../process/index.ts";
import type { Probe } from "../process/index.ts";
import type { ServerRecord } from "./server-record.ts";

/*
 * A kubeconfig belongs to the server that wrote it while that server runs. Another server refuses to start instead of
 * replacing it, because commands could not find the first server any more. The kubeconfig of a killed server is replaced.
 */

/** Name of the kubeconfig extension that identifies the server. */
const EXTENSION = "levelset.dev/server";

/** Adds the server record to a kubeconfig as an extension, which other clients ignore. */
export function withServerRecord(text: string, { command, pid, started }: ServerRecord): string {
  const config: unknown = JSON.parse(text);
  if (!isJsonObject(config)) throw new TypeError("the server's kubeconfig is not an object");
  const extension = { command, pid, started };
  return `${JSON.stringify({ ...config, extensions: [{ name: EXTENSION, extension }] }, undefined, 2)}\n`;
}

/** Returns the server record of a kubeconfig; undefined if levelset did not write it or it has other clusters. */
export async function serverRecordIn(text: string): Promise<ServerRecord | undefined> {
  const { extensions, clusters } = fieldsOf(await parseConfig(text));
  if (!Array.isArray(extensions) || !Array.isArray(clusters) || clusters.length !== 1) return undefined;
  const ours: unknown = extensions.find((each: unknown) => fieldsOf(each)["name"] === EXTENSION);
  const { command, pid, started } = fieldsOf(fieldsOf(ours)["extension"]);
  const isRecord = typeof command === "string" && typeof pid === "number" && typeof started === "string";
  return isRecord ? { command, pid, started } : undefined;
}

/** Parses a kubeconfig. Servers write JSON; `kubectl config` rewrites it as YAML. */
async function parseConfig(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parseYamlDocuments } = await import("../yaml/index.ts");
    try {
      return parseYamlDocuments(text)[0];
    } catch {
      return undefined;
    }
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** Throws an InputError if the path belongs to a running server or was not written by levelset. */
export async function checkClaim(path: string, clock: Clock): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined) await mayReplace(path, found, clock);
}

/** Writes the kubeconfig of a server and removes it on disposal. Throws an InputError if another server owns it. */
export async function claimKubeconfig(path: string, text: string, clock: Clock): Promise<AsyncDisposable> {
  const own = await serverRecordIn(text);
  return claimFile({
    path,
    text,
    mayReplace: (found) => mayReplace(path, found, clock),
    isOurs: async (found) => deepEqual(await serverRecordIn(found), own),
  });
}

async function mayReplace(path: string, found: string, clock: Clock): Promise<void> {
  // An empty file, for example from mktemp, may be replaced.
  if (found.trim() === "") return;
  const record = await serverRecordIn(found);
  const isDefaultPath = serverRecordPath(path) !== undefined;
  if (record === undefined && !isDefaultPath) {
    throw new InputError(`${path} exists and is not the kubeconfig of a levelset server`, {
      hint: "pass another --kubeconfig, or remove the file",
    });
  }
  const { probe, server } = await probeKubeconfig(found, path, clock);
  const isAlive = record === undefined || thisMachine({}).isAlive(record.pid);
  if (!isServerRunning(probe, isAlive)) return;
  const { command, pid } = record ?? { command: "a levelset server" };
  const message = `${command} is already running ${isDefaultPath ? "in this directory" : `with the kubeconfig ${path}`}`;
  throw new InputError(`${message}: ${pid === undefined ? "" : `process ${pid}, `}${server}`, {
    hint: "use it, stop it, or pass another --kubeconfig to run both",
  });
}

/** Probes the server of a kubeconfig. The CA in the file prevents confusion with another server. */
async function probeKubeconfig(
  text: string,
  path: string,
  clock: Clock,
): Promise<{ readonly probe: Probe; readonly server: string }> {
  const access = await parseKubeconfig(text, { path }).catch((error: unknown): undefined => {
    if (!(error instanceof InputError)) throw error; // not a kubeconfig
  });
  if (access === undefined) return { probe: "refused", server: "" };
  const connection = connect(access);
  const probe = await probeServer(`${CLUSTER_ORIGIN}/livez`, connection.fetch, clock);
  await connection.close();
  return { probe, server: access.server };
}
