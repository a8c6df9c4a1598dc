import { isAbsolute, join } from "node:path";

/** Environment variables, passed in by the caller. These functions do not read process.env. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A platform in Node's names, as in `process.platform` and `process.arch`. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

/** The platform in Go's names, used for the build and its directory. */
export interface GoPlatform {
  readonly os: string;
  readonly arch: string;
}

/** The Kubernetes release to build. Its go.mod determines etcd, Go and libraries. */
export const KUBERNETES_VERSION = "v1.36.3";

const OPERATING_SYSTEMS: Environment = { linux: "linux", darwin: "darwin" };
const ARCHITECTURES: Environment = { x64: "amd64", arm64: "arm64" };

/** Returns undefined if the platform is not supported: kube-apiserver is not built for Windows. */
export function goPlatformOf(machine: Machine): GoPlatform | undefined {
  const os = OPERATING_SYSTEMS[machine.platform];
  const arch = ARCHITECTURES[machine.arch];
  return os === undefined || arch === undefined ? undefined : { os, arch };
}

/** Returns the cache directory; undefined if no home is set. Relative paths count as unset (XDG Base Directory). */
export function cacheRoot(env: Environment): string | undefined {
  const cache = env["XDG_CACHE_HOME"];
  if (cache !== undefined && isAbsolute(cache)) return join(cache, "levelset", "envtest");
  const home = env["HOME"];
  return home !== undefined && isAbsolute(home) ? join(home, ".cache", "levelset", "envtest") : undefined;
}

/** The name of one build inside the cache, for instance `1.36.3-linux-amd64`. */
export function buildName(version: string, target: GoPlatform): string {
  return `${version.replace(/^v/, "")}-${target.os}-${target.arch}`;
}
