import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cachedAssets } from "./assets.ts";
import type { FoundAssets } from "./assets.ts";
import { runCommand } from "./command.ts";
import { EnvtestError } from "./errors.ts";
import { Go, goTooOld } from "./go.ts";
import { buildName, cacheRoot, KUBERNETES_VERSION, goPlatformOf } from "./location.ts";
import type { Environment } from "./location.ts";
import { acquireLock } from "./lock.ts";
import { goModFor, goSatisfies, parseKubernetesModule, versionFlags } from "./kubernetes-module.ts";
import type { KubernetesModule } from "./kubernetes-module.ts";

export interface BuildOptions {
  readonly env: Environment;
  readonly signal?: AbortSignal;
  /** Receives one line per step, with the time since the start. */
  readonly progress?: (line: string) => void;
}

interface Binary {
  readonly name: string;
  readonly package: string;
  /** Arguments that make it print its version and end. */
  readonly check: readonly string[];
}

// Smallest first, so that a broken setup fails early.
const BINARIES: readonly Binary[] = [
  { name: "etcd", package: "go.etcd.io/etcd/server/v3", check: ["--version"] },
  { name: "kubectl", package: "k8s.io/kubernetes/cmd/kubectl", check: ["version", "--client"] },
  { name: "kube-apiserver", package: "k8s.io/kubernetes/cmd/kube-apiserver", check: ["--version"] },
  { name: "kube-controller-manager", package: "k8s.io/kubernetes/cmd/kube-controller-manager", check: ["--version"] },
];
const STEPS = BINARIES.length + 3;

/**
 * Builds the four binaries into the cache and returns their location. Does nothing if they exist. The result is moved
 * into place atomically. Go's own build and module caches are used and not changed.
 */
export async function buildAssets(options: BuildOptions): Promise<FoundAssets> {
  const cached = await cachedAssets(options);
  if (cached.kind === "found") return cached;
  const target = goPlatformOf(process);
  const root = cacheRoot(options.env);
  if (target === undefined || root === undefined) throw new EnvtestError(cached.line);

  await mkdir(root, { recursive: true });
  const name = buildName(KUBERNETES_VERSION, target);
  const lock = await acquireLock({
    path: join(root, `${name}.lock`),
    signal: options.signal,
    onWait: (holder) => options.progress?.(`waiting for another build (${holder})`),
  });
  try {
    const meanwhile = await cachedAssets(options);
    if (meanwhile.kind === "found") return meanwhile;
    await removeLeftovers(root, `${name}.build-`);
    const scratch = await mkdtemp(join(root, `${name}.build-`));
    try {
      const go = new Go({ env: options.env, target, cwd: scratch, signal: options.signal });
      await buildInto({ ...options, go, scratch });
      await replaceDirectory({ from: join(scratch, "out"), to: join(root, name), backup: join(scratch, "old") });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
  const built = await cachedAssets(options);
  if (built.kind === "absent") throw new EnvtestError(built.line);
  return built;
}

async function buildInto(options: BuildOptions & { go: Go; scratch: string }): Promise<void> {
  const { go, scratch } = options;
  const step = stepper(options.progress);
  step(`Kubernetes ${KUBERNETES_VERSION}: fetching its go.mod and sources`);
  // An empty module first, so that a go.mod in a parent directory is ignored.
  await writeFile(join(scratch, "go.mod"), "module envtest.invalid/build\n");
  const downloaded = await go.download("k8s.io/kubernetes", KUBERNETES_VERSION);
  const kubernetes = parseKubernetesModule(KUBERNETES_VERSION, await go.run("mod", "edit", "-json", downloaded.goMod));

  step(`resolving modules with ${await go.version()}`);
  await writeModule(options, kubernetes);

  const stamp = versionFlags({ version: KUBERNETES_VERSION, builtAt: await publishedAt(downloaded.info) });
  const bin = join(scratch, "out", "bin");
  await mkdir(bin, { recursive: true });
  for (const binary of BINARIES) {
    step(`building ${binary.name} ${binary.name === "etcd" ? kubernetes.etcd : KUBERNETES_VERSION}`);
    const flags = ["-mod=readonly", "-p", "2", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w ${stamp}`];
    await go.run("build", ...flags, "-o", join(bin, binary.name), binary.package);
  }

  step("checking the versions");
  for (const binary of BINARIES) await checkVersion(options, binary, kubernetes);
}

/** Writes go.mod, and go.sum by letting the go tool resolve and download what the commands import. */
async function writeModule(options: { go: Go; scratch: string }, kubernetes: KubernetesModule): Promise<void> {
  const { go, scratch } = options;
  await writeFile(join(scratch, "go.mod"), goModFor(kubernetes));
  // Checked again, because Go may switch to a newer toolchain on reading the file.
  const have = await go.version();
  if (!goSatisfies(have, kubernetes.go)) throw goTooOld(have, kubernetes.go);
  await go.run("list", "-mod=mod", "-deps", ...BINARIES.map((binary) => binary.package));
}

/** Returns the publication time of the release, stamped as build date for reproducible builds. */
async function publishedAt(infoFile: string): Promise<string> {
  const info: unknown = JSON.parse(await readFile(infoFile, "utf8"));
  if (typeof info === "object" && info !== null && "Time" in info) return String(info.Time);
  throw new EnvtestError(`${infoFile} does not say when the release was published.`);
}

async function checkVersion(
  options: BuildOptions & { scratch: string },
  binary: Binary,
  kubernetes: KubernetesModule,
): Promise<void> {
  const result = await runCommand({
    command: join(options.scratch, "out", "bin", binary.name),
    args: binary.check,
    cwd: options.scratch,
    env: options.env,
    signal: options.signal,
    notFound: `The build of ${binary.name} wrote no file.`,
  });
  const expected = binary.name === "etcd" ? kubernetes.etcd : kubernetes.version;
  if (!result.includes(expected.replace(/^v/, ""))) {
    throw new EnvtestError(`${binary.name} was built as ${expected} but reports: ${result.trim()}`);
  }
}

/** A killed build leaves its scratch directory behind; the holder of the lock removes it. */
async function removeLeftovers(root: string, prefix: string): Promise<void> {
  const leftovers = (await readdir(root)).filter((entry) => entry.startsWith(prefix));
  for (const leftover of leftovers) await rm(join(root, leftover), { recursive: true, force: true });
}

/** Moves `from` to `to`; an incomplete directory there is moved to `backup` first. */
async function replaceDirectory(options: { from: string; to: string; backup: string }): Promise<void> {
  await mkdir(options.to, { recursive: true });
  await rename(options.to, options.backup);
  await rename(options.from, options.to);
}

function stepper(progress: BuildOptions["progress"]): (text: string) => void {
  const startedAt = performance.now();
  let count = 0;
  return (text) => {
    count += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    progress?.(`[${count}/${STEPS}] ${seconds.padStart(3)} s  ${text}`);
  };
}
