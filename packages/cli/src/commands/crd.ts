import { crdOf, InputError } from "@levelset/core";
import type { Command } from "commander";
import { loadRunnables } from "../load-program.ts";
import type { Shell } from "../shell.ts";
import { formatYaml } from "../yaml.ts";

/** `levelset crd …`: commands for CustomResourceDefinitions. */
export function addCrdCommand(levelset: Command, shell: Shell): void {
  addPrintCommand(levelset.command("crd").description("work with the CRDs of an operator"), shell);
}

/** `levelset crd print FILE`: prints the CRDs of the kinds of a file's operators as YAML. */
function addPrintCommand(crd: Command, shell: Shell): void {
  crd
    .command("print")
    .argument("<file>", "TypeScript or JavaScript file with an operator as default export")
    .description("print the CRDs of an operator's kinds as YAML")
    .action(async (file: string) => {
      const runnables = await loadRunnables(file, shell.cwd);
      const kinds = runnables.flatMap((runnable) => runnable.kinds ?? []);
      if (kinds.length === 0)
        throw new InputError(`${file} declares no kinds`, { hint: "pass a file whose operators declare kinds" });
      shell.stdout(formatYaml(kinds.map((kind) => crdOf(kind))));
    });
}
