import { isAbsolute, join } from "node:path";

/** Environment variables, passed in by the caller: no function here reads the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A machine in Node's words, as `process.platform` and `process.arch` give it. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

/** The same machine in Go's words, which name both the build and its directory. */
export interface Target {
  readonly os: string;
  readonly arch: string;
}

/** The Kubernetes release that is built. Everything else (etcd, Go, libraries) follows from its own go.mod. */
export const KUBERNETES_VERSION = "v1.36.3";

const OPERATING_SYSTEMS: Environment = { linux: "linux", darwin: "darwin" };
const ARCHITECTURES: Environment = { x64: "amd64", arm64: "arm64" };

/** Undefined where the binaries cannot run: kube-apiserver is not made for Windows. */
export function targetOf(machine: Machine): Target | undefined {
  const os = OPERATING_SYSTEMS[machine.platform];
  const arch = ARCHITECTURES[machine.arch];
  return os === undefined || arch === undefined ? undefined : { os, arch };
}

/** Where builds are kept; undefined when the environment names no home. Relative paths count as unset, as XDG asks. */
export function cacheRoot(env: Environment): string | undefined {
  const cache = env["XDG_CACHE_HOME"];
  if (cache !== undefined && isAbsolute(cache)) return join(cache, "levelset", "envtest");
  const home = env["HOME"];
  return home !== undefined && isAbsolute(home) ? join(home, ".cache", "levelset", "envtest") : undefined;
}

/** The name of one build inside the cache, for instance `1.36.3-linux-amd64`. */
export function buildName(version: string, target: Target): string {
  return `${version.replace(/^v/, "")}-${target.os}-${target.arch}`;
}
