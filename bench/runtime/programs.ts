import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Go } from "../../tools/envtest/go.ts";
import { cacheRoot, targetOf } from "../../tools/envtest/location.ts";
import type { Program } from "./contestant.ts";

/** The contestants of one run, and what client-go's queue is measured with. */
export interface Programs {
  readonly ours: Program;
  readonly peers: readonly Program[];
  readonly go: string | undefined;
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BOTH = ["configmaps", "divisions"] as const;

/** Prepares all contestants. Those that cannot be had here are left out with a line that says why. */
export async function preparePrograms(): Promise<Programs> {
  const fluent = await orWithout("kubernetes-fluent-client", installFluent);
  const go = await orWithout("controller-runtime", buildGo);
  return {
    ours: node("ours", join(HERE, "ours.mjs")),
    peers: [
      { ...node("bare list and parse", join(HERE, "bare.mjs")), modes: ["configmaps"] },
      node("client-node", join(HERE, "client-node.mjs")),
      ...(fluent === undefined ? [] : [node("kubernetes-fluent-client", fluent)]),
      ...(go === undefined ? [] : [{ name: "controller-runtime", command: go, args: [], modes: BOTH }]),
    ],
    go,
  };
}

/** Without our condition for sources, so that it runs what was built. */
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

/** A directory that stays from run to run, outside of the repository. */
async function cached(name: string): Promise<string> {
  const root = cacheRoot(process.env);
  if (root === undefined) throw new Error("HOME names no directory for what is built");
  const directory = join(dirname(root), "bench", name);
  await mkdir(directory, { recursive: true });
  return directory;
}

/** Its dependencies are many, so only those who run this benchmark install them: what the lockfile says, without scripts. */
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
    if (status !== 0) throw new Error("npm could not install it");
    await writeFile(stamp, lockfile);
  }
  await copyFile(join(HERE, "program.mjs"), join(directory, "program.mjs"));
  await copyFile(join(HERE, "fluent/fluent.mjs"), join(directory, "fluent.mjs"));
  return join(directory, "fluent.mjs");
}

/** Takes minutes the first time, for all of client-go is compiled. */
async function buildGo(): Promise<string> {
  const target = targetOf(process);
  if (target === undefined) throw new Error(`it is not built for ${process.platform}`);
  const binary = join(await cached("go"), "controller-runtime");
  const go = new Go({ env: process.env, target, cwd: join(HERE, "go") });
  await go.run("build", "-trimpath", "-o", binary, ".");
  return binary;
}
