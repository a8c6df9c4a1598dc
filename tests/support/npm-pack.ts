import { mkdir, readdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { runProcess } from "./test-process.ts";
import { ROOT } from "./repository.ts";

const PACKAGES = ["core", "operator", "apiserver", "simulation", "fleet", "console", "cli"];

/** Packs the packages into a directory, as they would be published. Returns the paths of the files. */
export async function packPackages(directory: string): Promise<readonly string[]> {
  for (const name of PACKAGES) {
    const args = ["pack", `--workspace=packages/${name}`, `--pack-destination=${directory}`];
    const { code, stdout, stderr } = await runProcess("npm", { args, cwd: ROOT });
    if (code !== 0) throw new Error(`packages/${name} cannot be packed:\n${stdout}${stderr}`);
  }
  const files = await readdir(directory);
  return files.filter((file) => file.endsWith(".tgz")).map((file) => join(directory, file));
}

/** Unpacks a packed package into a directory, which is created if it is missing. */
export async function unpack(file: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const args = ["-xzf", file, "-C", directory, "--strip-components=1"];
  const { code, stderr } = await runProcess("tar", { args, cwd: directory });
  if (code !== 0) throw new Error(`${file} cannot be unpacked:\n${stderr}`);
}

/** Returns the environment of a project outside the repository, with the current Node as the only one. */
export function externalProjectEnv(): Record<string, string | undefined> {
  return { PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`, NODE_OPTIONS: undefined };
}
