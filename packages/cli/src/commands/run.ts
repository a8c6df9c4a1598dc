import type { Command } from "commander";
import { Option } from "commander";
import { explainNoAnswer, findCluster } from "../access.ts";
import { loadProgram } from "../load.ts";
import { addManagerFlags } from "../manager-flags.ts";
import { runProgram } from "../run-program.ts";
import type { RunProgramOptions } from "../run-program.ts";
import type { Shell } from "../shell.ts";

interface RunOptions extends Omit<RunProgramOptions, "file" | "verbose"> {
  readonly context?: string;
}

/** `levelset run FILE`: runs the operators of a file against a cluster. */
export function addRunCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("run")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("run an operator against a cluster")
    .option(
      "--kubeconfig <file>",
      "the cluster (default: KUBECONFIG, the levelset dev of this directory, the pod's own, or ~/.kube/config)",
    )
    .option("--context <name>", "a context of the kubeconfig other than the current one")
    .option("--install-crds", "create or update the CRDs of the operator's kinds first")
    .option("--apply <file>", "then apply the objects of this YAML file")
    .option("--live", "print a line whenever the conditions of an object change, and answer levelset why and trace")
    .addOption(new Option("--figures", "with --live: keep figures, for the console").hideHelp())
    .addOption(new Option("--again", "with --live: it was running before, so what to try is known").hideHelp());
  addManagerFlags(command)
    .addOption(new Option("--log-format <format>", "how log lines look").choices(["text", "json"]).default("text"))
    .action(async (file: string, options: RunOptions) => {
      const program = await loadProgram(file, shell.cwd);
      const asked = await findCluster(shell, options);
      const verbose = levelset.opts()["verbose"] === true;
      const kubeconfig = asked.found === undefined ? {} : { kubeconfig: asked.found };
      await runProgram(program, asked.access, { ...options, ...kubeconfig, file, verbose }, shell).catch(
        (error: unknown) => {
          throw explainNoAnswer(error, asked, shell);
        },
      );
    });
}
