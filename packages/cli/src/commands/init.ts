import { relative, resolve } from "node:path";
import type { Command } from "commander";
import {
  checkEmpty,
  checkProjectNames,
  findCheckout,
  isOldNode,
  kindFromName,
  nodePackages,
  packCheckout,
  projectFiles,
  readTemplate,
  vendorProject,
  writeProject,
} from "../project/index.ts";
import type { Shell } from "../terminal/index.ts";
import type { ProjectData, ProjectFile } from "../project/index.ts";
import { examples, parseName } from "../options/index.ts";

interface InitOptions {
  readonly dir?: string;
  readonly kind?: string;
  readonly group: string;
  readonly published?: boolean;
}

/** `levelset init NAME`: creates a project with a runnable operator and its tests. */
export function addInitCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("init")
    .argument("<name>", "project name: lower-case letters, digits and dashes", parseName)
    .description("create a new project: a runnable operator with tests")
    .option("--dir <directory>", "target directory, empty or missing (default: NAME)")
    .option("--kind <Kind>", "kind that the operator reconciles (default: NAME without -operator)")
    .option("--group <domain>", "API group of the kind", "example.com")
    .option("--published", "depend on published packages, not on this clone of levelset")
    .addHelpText(
      "after",
      examples("levelset init shop", "levelset init shop-operator --kind Shop --group shops.example.com --dir shop"),
    )
    .action(async (name: string, options: InitOptions) => init(name, options, shell));
}

async function init(name: string, options: InitOptions, shell: Shell): Promise<void> {
  const names = { name, kind: options.kind ?? kindFromName(name), group: options.group };
  checkProjectNames(names);
  const directory = resolve(shell.cwd, options.dir ?? name);
  await checkEmpty(directory);
  const created = projectFiles(await readTemplate(), names);
  const checkout = options.published === true ? undefined : findCheckout();
  const files = checkout === undefined ? created : await fromCheckout(checkout, created, shell);
  await writeProject(directory, files);
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

/** Creates a project that depends on packages packed from this clone, because no registry has them. */
async function fromCheckout(
  root: string,
  files: readonly ProjectFile[],
  { stderr, env }: Shell,
): Promise<readonly (ProjectFile | ProjectData)[]> {
  stderr("packing levelset from this clone into the project's vendor directory …\n");
  const packages = await packCheckout(root);
  return vendorProject(files, {
    packages,
    nodes: isOldNode(env["npm_config_user_agent"]) ? await nodePackages(root) : {},
  });
}
