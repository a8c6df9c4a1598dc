import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { externalProjectEnv, unpack } from "./npm-pack.ts";
import { ROOT } from "./repository.ts";
import { runProcess } from "./test-process.ts";

/** Downloads the oldest Node of `engines` from the registry into a directory. Returns the path of its executable. */
export async function downloadOldestNode(directory: string): Promise<string> {
  const text = await readFile(join(ROOT, "packages", "core", "package.json"), "utf8");
  const { engines } = JSON.parse(text) as { readonly engines: { readonly node: string } };
  const version = engines.node.replace(">=", "");
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(directory, `${name}-${version}`);
  await mkdir(folder, { recursive: true });
  const options = { cwd: folder, env: externalProjectEnv() };
  const packed = await runProcess("npm", { args: ["pack", "--silent", `${name}@${version}`], ...options });
  if (packed.code !== 0) throw new Error(`${name}@${version} cannot be downloaded:\n${packed.stdout}${packed.stderr}`);
  await unpack(join(folder, `${name}-${version}.tgz`), folder);
  const node = join(folder, "bin", "node");
  const { stdout } = await runProcess(node, { args: ["--version"], ...options });
  if (stdout.trim() !== `v${version}`) throw new Error(`${node} is ${stdout.trim()}, not v${version}`);
  return node;
}
