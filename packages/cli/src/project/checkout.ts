import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { isJsonObject } from "@levelset/core";
import { PACKAGE_ROOT } from "../process/index.ts";

/** A packed npm package. */
export interface PackedPackage {
  readonly name: string;
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Returns the root of the clone that this command runs from; undefined for an installed command. */
export function findCheckout(): string | undefined {
  if (!import.meta.url.endsWith(".ts")) return undefined;
  return resolve(fileURLToPath(PACKAGE_ROOT), "..", "..");
}

/** Builds and packs all packages of a clone. */
export async function packCheckout(root: string): Promise<readonly PackedPackage[]> {
  const directory = await mkdtemp(join(tmpdir(), "levelset-pack-"));
  try {
    const files = await npmPack(root, directory);
    return await Promise.all(
      files.map(async (each) => ({ ...each, bytes: await readFile(join(directory, each.file)) })),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function npmPack(root: string, directory: string): Promise<readonly Omit<PackedPackage, "bytes">[]> {
  const args = ["pack", "--workspaces", "--json", "--loglevel=error", `--pack-destination=${directory}`];
  const npm = spawn("npm", args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  const [stdout, stderr, [code]] = await Promise.all([text(npm.stdout), text(npm.stderr), once(npm, "close")]);
  if (code !== 0) {
    throw new Error(`cannot pack the packages of ${root}: npm pack exited with code ${code}\n${stderr.trim()}`);
  }
  const packed: unknown = JSON.parse(stdout);
  return (Array.isArray(packed) ? packed : []).flatMap((each: unknown) =>
    isJsonObject(each) && typeof each["name"] === "string" && typeof each["filename"] === "string"
      ? [{ name: each["name"], file: each["filename"] }]
      : [],
  );
}

/** Returns the npm packages of a clone that contain Node, one per platform, with their versions. */
export async function nodePackages(root: string): Promise<Readonly<Record<string, string>>> {
  const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const optional = isJsonObject(manifest) ? manifest["optionalDependencies"] : undefined;
  const entries = isJsonObject(optional) ? Object.entries(optional) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[0].startsWith("node-") && typeof entry[1] === "string"),
  );
}
