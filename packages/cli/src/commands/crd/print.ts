import { crdOf, InputError } from "@levelset/core";
import type { Command } from "commander";
import { loadRunnables } from "../../process/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { formatYaml } from "../../yaml/index.ts";
import { examples } from "../../options/index.ts";

/** `levelset crd print FILE`: prints the CRDs of the kinds of a file's operators as YAML. */
export function addCrdPrintCommand(crd: Command, shell: Shell): void {
  crd
    .command("print")
    .argument("<file>", "TypeScript or JavaScript file with an operator as default export")
    .description("print the CRDs of an operator's kinds as YAML")
    .addHelpText("after", examples("levelset crd print simple.ts", "levelset crd print simple.ts | kubectl apply -f -"))
    .action(async (file: string) => {
      const runnables = await loadRunnables(file, shell.cwd);
      const kinds = runnables.flatMap((runnable) => runnable.kinds ?? []);
      if (kinds.length === 0)
        throw new InputError(`${file} declares no kinds`, { hint: "pass a file whose operators declare kinds" });
      shell.stdout(formatYaml(kinds.map((kind) => crdOf(kind))));
    });
}
