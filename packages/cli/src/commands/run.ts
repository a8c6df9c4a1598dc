import type { Command } from "commander";
import { Option } from "commander";
import { examples, isVerbose } from "../options/index.ts";
import { findCluster } from "../cluster/index.ts";
import { loadProgram } from "../process/index.ts";
import { addManagerFlags, runProgram } from "../program/index.ts";
import type { RunProgramOptions } from "../program/index.ts";
import type { Shell } from "../terminal/index.ts";

interface RunFlags extends Omit<RunProgramOptions, "file" | "verbose" | "printStatus" | "metrics" | "isRestart"> {
  readonly context?: string;
  readonly live?: boolean;
  readonly figures?: boolean;
  readonly again?: boolean;
}

/** `levelset run FILE`: runs the operators of a file against a cluster. */
export function addRunCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("run")
    .argument("<file>", "TypeScript or JavaScript file with an operator as default export")
    .description("run an operator against a cluster")
    .option("--kubeconfig <file>", "kubeconfig file (default: KUBECONFIG, .levelset, pod, ~/.kube)")
    .option("--context <name>", "kubeconfig context (default: the current context)")
    .option("--install-crds", "create or update the CRDs of the operator's kinds first")
    .option("--apply <file>", "YAML file with objects to apply after the CRDs")
    .option("--live", "print condition changes, and serve runs to levelset why and trace")
    .addOption(new Option("--figures", "record metrics for the console, with --live").hideHelp())
    .addOption(new Option("--again", "omit the suggestions of --live after a restart").hideHelp());
  addManagerFlags(command)
    .addHelpText(
      "after",
      examples(
        "levelset run simple.ts --install-crds --live",
        "levelset run simple.ts --leader-elect --listen 0.0.0.0:8080 --log-format json   # in a pod",
      ),
    )
    .action(async (file: string, { live, figures, again, ...options }: RunFlags) => {
      const program = await loadProgram(file, shell.cwd);
      const cluster = await findCluster(shell, options);
      const verbose = isVerbose(levelset);
      const status = { printStatus: live === true, metrics: figures === true, isRestart: again === true };
      await runProgram(program, cluster, { ...options, ...status, file, verbose }, shell);
    });
}
