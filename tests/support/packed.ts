import { readdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { runProcess } from "./process.ts";
import { ROOT } from "./repository.ts";

const PACKAGES = ["core", "operator", "apiserver", "fleet", "console", "cli"];

/** Packs our packages as they would be published, into a directory; answers with the paths of the files. */
export async function packInto(directory: string): Promise<readonly string[]> {
  for (const name of PACKAGES) {
    const args = ["pack", `--workspace=packages/${name}`, `--pack-destination=${directory}`];
    const { code, stdout, stderr } = await runProcess("npm", { args, cwd: ROOT });
    if (code !== 0) throw new Error(`packages/${name} cannot be packed:\n${stdout}${stderr}`);
  }
  const files = await readdir(directory);
  return files.filter((file) => file.endsWith(".tgz")).map((file) => join(directory, file));
}

/** The environment of a project outside of this one, with our Node as the only one. */
export function outsideEnvironment(): Record<string, string | undefined> {
  return { PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`, NODE_OPTIONS: undefined };
}
