import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Go } from "../../tools/envtest/go.ts";
import { cacheRoot, goPlatformOf } from "../../tools/envtest/location.ts";
import type { Program } from "./bench-process.ts";

/** The programs of one run. `go` also measures the queue of client-go. */
export interface Programs {
  readonly ours: Program;
  readonly peers: readonly Program[];
  readonly go: string | undefined;
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BOTH = ["configmaps", "divisions"] as const;

/** Prepares all programs. Programs that are not available are skipped with a message. */
export async function buildPrograms(): Promise<Programs> {
  const fluent = await orWithout("kubernetes-fluent-client", installFluent);
  const go = await orWithout("controller-runtime", buildGo);
  return {
    ours: node("ours", join(HERE, "levelset.mjs")),
    peers: [
      { ...node("bare list and parse", join(HERE, "minimal-cache.mjs")), modes: ["configmaps"] },
      node("client-node", join(HERE, "client-node.mjs")),
      ...(fluent === undefined ? [] : [node("kubernetes-fluent-client", fluent)]),
      ...(go === undefined ? [] : [{ name: "controller-runtime", command: go, args: [], modes: BOTH }]),
    ],
    go,
  };
}

/** Runs without the `levelset-source` condition, so that the built packages are used. */
function node(name: string, file: string): Program {
  return { name, command: process.execPath, args: ["--expose-gc", file], modes: BOTH };
}

async function orWithout(name: string, prepare: () => Promise<string>): Promise<string | undefined> {
  try {
    return await prepare();
  } catch (error) {
    console.warn(`bench: without ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Returns a cache directory outside the repository. */
async function cached(name: string): Promise<string> {
  const root = cacheRoot(process.env);
  if (root === undefined) throw new Error("HOME is not set, so there is no cache directory");
  const directory = join(dirname(root), "bench", name);
  await mkdir(directory, { recursive: true });
  return directory;
}

/** Installs its many dependencies into the cache, by lockfile and without scripts. */
async function installFluent(): Promise<string> {
  const directory = await cached("fluent");
  const lockfile = await readFile(join(HERE, "fluent/package-lock.json"), "utf8");
  const stamp = join(directory, "installed");
  const installed = await readFile(stamp, "utf8").catch(() => "");
  if (installed !== lockfile) {
    for (const file of ["package.json", "package-lock.json"])
      await copyFile(join(HERE, "fluent", file), join(directory, file));
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", args, {
      cwd: directory,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 180_000,
    });
    if (status !== 0) throw new Error("npm ci failed");
    await writeFile(stamp, lockfile);
  }
  await copyFile(join(HERE, "program-protocol.mjs"), join(directory, "program-protocol.mjs"));
  await copyFile(join(HERE, "fluent/fluent.mjs"), join(directory, "fluent.mjs"));
  return join(directory, "fluent.mjs");
}

/** Takes minutes the first time, because all of client-go is compiled. */
async function buildGo(): Promise<string> {
  const target = goPlatformOf(process);
  if (target === undefined) throw new Error(`${process.platform} is not supported`);
  const binary = join(await cached("go"), "controller-runtime");
  const go = new Go({ env: process.env, target, cwd: join(HERE, "go") });
  await go.run("build", "-trimpath", "-o", binary, ".");
  return binary;
}
