import { access, constants, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EnvtestError } from "./errors.ts";
import { buildName, cacheRoot, KUBERNETES_VERSION, goPlatformOf } from "./location.ts";
import type { Environment, Machine } from "./location.ts";

/** The binaries of a control plane, as absolute paths. */
export interface FoundAssets {
  readonly kind: "found";
  readonly directory: string;
  /** The Kubernetes version, for instance `v1.36.3`; unknown for a directory the user named. */
  readonly version?: string;
  readonly etcd: string;
  readonly apiserver: string;
  readonly controllerManager?: string;
  readonly kubectl?: string;
}

export interface AbsentAssets {
  readonly kind: "absent";
  /** One sentence: what is missing and how to get it. */
  readonly line: string;
}

export type Assets = FoundAssets | AbsentAssets;

export interface FindOptions {
  readonly env: Environment;
  /** The target platform; default: this machine. */
  readonly machine?: Machine;
}

/** File names as upstream has them. */
export const BINARIES = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"] as const;
const REQUIRED: ReadonlySet<string> = new Set(["etcd", "kube-apiserver"]);
const HINT = "`npm run envtest` builds it where Go is installed, or set KUBEBUILDER_ASSETS to a directory with it";

/**
 * Finds a control plane: the directory in `KUBEBUILDER_ASSETS` when set, else the cache.
 * Throws when `KUBEBUILDER_ASSETS` is set but lacks etcd or kube-apiserver: falling back would hide the mistake.
 */
export async function findAssets(options: FindOptions): Promise<Assets> {
  const named = options.env["KUBEBUILDER_ASSETS"];
  if (named !== undefined && named !== "") return await namedAssets(resolve(named));
  return await cachedAssets(options);
}

/** Searches the cache only. A directory without all four binaries counts as absent. */
export async function cachedAssets(options: FindOptions): Promise<Assets> {
  const machine = options.machine ?? process;
  const target = goPlatformOf(machine);
  if (target === undefined) {
    return absent(`No Kubernetes control plane for ${machine.platform} on ${machine.arch}: use Linux or macOS.`);
  }
  const root = cacheRoot(options.env);
  if (root === undefined) {
    return absent(
      "No Kubernetes control plane: neither XDG_CACHE_HOME nor HOME is set, so there is no cache; set one.",
    );
  }
  const directory = join(root, buildName(KUBERNETES_VERSION, target), "bin");
  const missing = await missingIn(directory, BINARIES);
  if (missing.length > 0) {
    const problem = `No Kubernetes ${KUBERNETES_VERSION} control plane: ${directory} lacks ${missing.join(", ")}`;
    return absent(`${problem}; ${HINT}.`);
  }
  return found({ directory, names: BINARIES, version: KUBERNETES_VERSION });
}

async function namedAssets(directory: string): Promise<FoundAssets> {
  const missing = await missingIn(directory, BINARIES);
  const desired = missing.filter((name) => REQUIRED.has(name));
  if (desired.length > 0) {
    const problem = `KUBEBUILDER_ASSETS is ${directory}, which lacks ${desired.join(" and ")} as executable files`;
    throw new EnvtestError(`${problem}; correct it, or unset it to use the cache.`);
  }
  return found({ directory, names: BINARIES.filter((name) => !missing.includes(name)) });
}

function absent(line: string): AbsentAssets {
  return { kind: "absent", line };
}

function found(options: { directory: string; names: readonly string[]; version?: string }): FoundAssets {
  const { directory, names, version } = options;
  const manager = "kube-controller-manager";
  return {
    kind: "found",
    directory,
    ...(version === undefined ? {} : { version }),
    etcd: join(directory, "etcd"),
    apiserver: join(directory, "kube-apiserver"),
    ...(names.includes(manager) ? { controllerManager: join(directory, manager) } : {}),
    ...(names.includes("kubectl") ? { kubectl: join(directory, "kubectl") } : {}),
  };
}

async function missingIn(directory: string, names: readonly string[]): Promise<string[]> {
  const present = await Promise.all(names.map((name) => isExecutable(join(directory, name))));
  return names.filter((_, index) => present[index] !== true);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // cannot be executed, for any reason
  }
}
