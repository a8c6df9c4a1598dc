import { readFile } from "node:fs/promises";
import { CLUSTER_ORIGIN, deepEqual, InputError, isJsonObject } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { connect, parseKubeconfig } from "@levelset/operator";
import { memoryPathOf } from "./kubeconfig-file.ts";
import { claimFile } from "./own-file.ts";
import { thisMachine } from "./run-file.ts";
import type { ServerRecord } from "./server-memory.ts";
import { isServerRunning, probeServer } from "./server-probe.ts";
import type { Probe } from "./server-probe.ts";

/*
 * A kubeconfig belongs to the server that wrote it, for as long as that server runs. Another server refuses to start rather than
 * replace it: the first one would go on where no command finds it. What a killed server left behind is replaced.
 */

/** The name of the kubeconfig extension that says which server wrote the file. */
const EXTENSION = "levelset.dev/server";

/** A kubeconfig with the server that writes it, as an extension, which other clients ignore. */
export function signedKubeconfig(text: string, { command, pid, started }: ServerRecord): string {
  const config: unknown = JSON.parse(text);
  if (!isJsonObject(config)) throw new TypeError("the server's kubeconfig is not an object");
  const extension = { command, pid, started };
  return `${JSON.stringify({ ...config, extensions: [{ name: EXTENSION, extension }] }, undefined, 2)}\n`;
}

/** The server that signed a kubeconfig; undefined for a file that no server of ours wrote, or that holds other clusters as well. */
export async function signerOf(text: string): Promise<ServerRecord | undefined> {
  const { extensions, clusters } = fieldsOf(await parsed(text));
  if (!Array.isArray(extensions) || !Array.isArray(clusters) || clusters.length !== 1) return undefined;
  const ours: unknown = extensions.find((each: unknown) => fieldsOf(each)["name"] === EXTENSION);
  const { command, pid, started } = fieldsOf(fieldsOf(ours)["extension"]);
  const isSigned = typeof command === "string" && typeof pid === "number" && typeof started === "string";
  return isSigned ? { command, pid, started } : undefined;
}

/** A kubeconfig. Servers write JSON; `kubectl config` writes the same as YAML. */
async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parseYaml } = await import("./yaml.ts");
    try {
      return parseYaml(text)[0];
    } catch {
      return undefined;
    }
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** Throws an InputError if a server may not write its kubeconfig to a path: another one runs there, or the file is not a server's. */
export async function checkClaim(path: string, clock: Clock): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined) await mayReplace(path, found, clock);
}

/** Writes a server's kubeconfig, unless another server has done so. It is removed when the claim is disposed. */
export async function claimKubeconfig(path: string, text: string, clock: Clock): Promise<AsyncDisposable> {
  const own = await signerOf(text);
  return claimFile({
    path,
    text,
    mayReplace: (found) => mayReplace(path, found, clock),
    isOurs: async (found) => deepEqual(await signerOf(found), own),
  });
}

async function mayReplace(path: string, found: string, clock: Clock): Promise<void> {
  // Made by mktemp, for example: nothing is lost.
  if (found.trim() === "") return;
  const signer = await signerOf(found);
  const isPlaceOurs = memoryPathOf(path) !== undefined;
  if (signer === undefined && !isPlaceOurs) {
    throw new InputError(`${path} is there, and is not the kubeconfig of a levelset server`, {
      hint: "choose another --kubeconfig, or remove the file",
    });
  }
  const { answer, server } = await askServer(found, path, clock);
  const isAlive = signer === undefined || thisMachine({}).isAlive(signer.pid);
  if (!isServerRunning(answer, isAlive)) return;
  const { command, pid } = signer ?? { command: "a levelset server" };
  const who = `${command} is already running ${isPlaceOurs ? "in this directory" : `with the kubeconfig ${path}`}`;
  throw new InputError(`${who}: ${pid === undefined ? "" : `process ${pid}, `}${server}`, {
    hint: "use it, or stop it first; with another --kubeconfig FILE both run side by side",
  });
}

/** Asks the server that a kubeconfig names. Its certificate authority is in the file, so no other server passes for it. */
async function askServer(
  text: string,
  path: string,
  clock: Clock,
): Promise<{ readonly answer: Probe; readonly server: string }> {
  const access = await parseKubeconfig(text, { path }).catch((error: unknown): undefined => {
    if (!(error instanceof InputError)) throw error; // not a kubeconfig
  });
  if (access === undefined) return { answer: "refused", server: "" };
  const connection = connect(access);
  const answer = await probeServer(`${CLUSTER_ORIGIN}/livez`, connection.fetch, clock);
  await connection.close();
  return { answer, server: access.server };
}
