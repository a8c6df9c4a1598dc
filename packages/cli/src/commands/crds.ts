import { crdOf, InputError } from "@levelset/core";
import type { Command } from "commander";
import { loadRunnables } from "../load.ts";
import type { Shell } from "../shell.ts";
import { formatYaml } from "../yaml.ts";

/** `levelset crds FILE`: the CRDs of the kinds that a file's operators bring, as YAML. */
export function addCrdsCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("crds")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("print the CRDs of an operator's kinds as YAML")
    .action(async (file: string) => {
      const runnables = await loadRunnables(file, shell.cwd);
      const kinds = runnables.flatMap((runnable) => runnable.kinds ?? []);
      if (kinds.length === 0) throw new InputError(`${file} declares no kinds`);
      shell.stdout(formatYaml(kinds.map((kind) => crdOf(kind))));
    });
}
