import { relative, resolve } from "node:path";
import type { Command } from "commander";
import {
  checkEmpty,
  checkProjectNames,
  findCheckout,
  isOldNode,
  kindAfter,
  nodesOf,
  packCheckout,
  placeProject,
  projectFiles,
  vendored,
} from "../init/index.ts";
import type { Shell } from "../shell.ts";
import { readTemplate } from "../template.ts";
import type { ProjectData, ProjectFile } from "../template.ts";
import { parseName } from "./manifests.ts";

interface InitOptions {
  readonly dir?: string;
  readonly kind?: string;
  readonly group: string;
  readonly published?: boolean;
}

/** `levelset init NAME`: a new project with an operator that runs, and its tests. */
export function addInitCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("init")
    .argument("<name>", "how the project is called: lower case letters, digits and dashes", parseName)
    .description("make a new project: an operator that runs, with tests")
    .option("--dir <directory>", "where to make it: a directory that is empty or not there yet (default: NAME)")
    .option("--kind <Kind>", "what people will declare (default: after NAME, without -operator)")
    .option("--group <domain>", "the API group of the kind", "example.com")
    .option("--published", "in a clone of levelset: depend on published packages instead of this clone's own")
    .action(async (name: string, options: InitOptions) => init(name, options, shell));
}

async function init(name: string, options: InitOptions, shell: Shell): Promise<void> {
  const names = { name, kind: options.kind ?? kindAfter(name), group: options.group };
  checkProjectNames(names);
  const directory = resolve(shell.cwd, options.dir ?? name);
  await checkEmpty(directory);
  const made = projectFiles(await readTemplate(), names);
  const checkout = options.published === true ? undefined : findCheckout();
  const files = checkout === undefined ? made : await fromCheckout(checkout, made, shell);
  await placeProject(directory, files);
  const here = relative(shell.cwd, directory);
  shell.stdout(
    [
      ...files.map(({ path }) => `wrote    ${here === "" ? "" : `${here}/`}${path}`),
      "",
      "Next:",
      `  ${here === "" ? "" : `cd ${here} && `}npm install`,
      "  npm test",
      "  npm run dev",
      "",
    ].join("\n"),
  );
}

/** A project that runs what a clone holds, for which a registry would not know. */
async function fromCheckout(
  root: string,
  files: readonly ProjectFile[],
  { stderr, env }: Shell,
): Promise<readonly (ProjectFile | ProjectData)[]> {
  stderr("packing levelset as it is in this clone, for the project's vendor directory …\n");
  const packages = await packCheckout(root);
  return vendored(files, { packages, nodes: isOldNode(env["npm_config_user_agent"]) ? await nodesOf(root) : {} });
}
