import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { checkProjectNames, kindAfter, placeProject, projectFiles } from "../init/index.ts";
import type { Shell } from "../shell.ts";
import { readTemplate } from "../template.ts";
import { parseName } from "./manifests.ts";

interface InitOptions {
  readonly dir?: string;
  readonly kind?: string;
  readonly group: string;
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
    .action(async (name: string, options: InitOptions) => init(name, options, shell));
}

async function init(name: string, options: InitOptions, shell: Shell): Promise<void> {
  const names = { name, kind: options.kind ?? kindAfter(name), group: options.group };
  checkProjectNames(names);
  const directory = resolve(shell.cwd, options.dir ?? name);
  const files = projectFiles(await readTemplate(), names);
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
